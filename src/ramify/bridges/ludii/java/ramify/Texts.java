package ramify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import game.equipment.container.Container;
import game.types.board.SiteType;
import other.action.Action;
import other.context.Context;
import other.move.Move;
import other.state.container.ContainerState;
import other.topology.TopologyElement;

/** Moves and positions as text. */
final class Texts
{
	private Texts()
	{
	}

	/** Return a move's name: the player's decision, e.g. A2-A3. */
	static String name(final Move move, final Context context)
	{
		if (move.isPass())
			return "pass";
		if (move.isSwap())
			return "swap";
		final List<String> words = new ArrayList<>();
		for (final Action action : move.actions())
			if (action.isDecision())
				words.add(word(action, context));
		return words.isEmpty() ? move.toTurnFormat(context, true) : String.join(",", words);
	}

	/** Return the name of an action; of a nested move its first action, which implies the others. */
	private static String word(final Action action, final Context context)
	{
		Action first = action;
		while (first instanceof Move && !((Move) first).actions().isEmpty())
			first = ((Move) first).actions().get(0);
		return first.toTurnFormat(context, true);
	}

	/** List the sites of each kind of piece; =N is its state, (N) its count or level. */
	static String draw(final Context context)
	{
		final Map<String, StringBuilder> places = new LinkedHashMap<>();
		for (int i = 0; i < context.containers().length; ++i)
		{
			final Container container = context.containers()[i];
			for (final SiteType type : SiteType.values())
			{
				final ContainerState state = context.state().containerStates()[i];
				for (final TopologyElement element : container.topology().getGraphElements(type))
					note(places, context, state, element, type, i);
				if (i > 0)
					break; // hands only have cells
			}
		}
		final StringBuilder drawing = new StringBuilder();
		for (final Map.Entry<String, StringBuilder> one : places.entrySet())
			drawing.append(one.getKey()).append(':').append(one.getValue()).append('\n');
		if (context.game().requiresScore())
		{
			drawing.append("score:");
			for (int player = 1; player <= context.game().players().count(); ++player)
				drawing.append(' ').append(context.score(player));
			drawing.append('\n');
		}
		final int agent = context.state().playerToAgent(context.state().mover());
		return drawing.append(context.trial().over() ? "over" : "player " + agent + " to move").toString();
	}

	private static void note
	(
		final Map<String, StringBuilder> places, final Context context, final ContainerState state,
		final TopologyElement element, final SiteType type, final int container
	)
	{
		final int site = element.index() + context.sitesFrom()[container];
		final int size = context.game().isStacking() ? state.sizeStack(site, type) : 1;
		for (int level = 0; level < size; ++level)
		{
			final int what = size == 1 ? state.what(site, type) : state.what(site, level, type);
			if (what == 0)
				continue;
			final int count = state.count(site, type);
			final int turned = size == 1 ? state.state(site, type) : state.state(site, level, type);
			final String more =
				(turned > 0 ? "=" + turned : "") + (size > 1 ? "(" + (level + 1) + ")" : count > 1 ? "(" + count + ")" : "");
			places.computeIfAbsent(context.components()[what].name(), name -> new StringBuilder())
				.append(' ').append(container > 0 ? "hand" : element.label()).append(more);
		}
	}
}
