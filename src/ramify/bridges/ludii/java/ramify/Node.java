package ramify;

import java.lang.ref.SoftReference;

import main.collections.FastArrayList;
import other.RankUtils;
import other.context.Context;
import other.move.Move;

/**
 * A position: how it was reached, and, while memory lasts, Ludii's own object for it, which can be made again.
 *
 * Where chance had a part in a move, two nodes follow: one where chance is to move, with OUTCOMES samples as its
 * outcomes, and below it one for each sample.
 */
final class Node
{
	static final int CHANCE = -1;
	static final int OUTCOMES = 64;

	/** Null where the game begins. */
	final Node parent;

	/** Which of the parent's moves or samples led here. */
	final int place;

	/** Of the moves and samples that led here: what is drawn below is drawn from this. */
	final long salt;

	/** The player to move, from 0, or CHANCE. */
	int mover;

	/** The numbers of the moves; of samples none. */
	int[] codes;

	/** The result of each player, from 0 to 1; null while the game goes on. */
	double[] scores = null;

	private SoftReference<Context> kept = null;

	Node(final Node parent, final int place)
	{
		this.parent = parent;
		this.place = place;
		salt = parent == null ? 0L : Rules.mix(parent.salt + place + 1);
	}

	/** The node where a game begins. */
	static Node start(final Rules rules)
	{
		final Node node = new Node(null, 0);
		node.look(rules, rules.start(0L), 0L, true);
		return node;
	}

	/** What may follow: the place of a code in the list, or of a sample. */
	int placeOf(final int code)
	{
		if (mover == CHANCE)
		{
			if (code >= 0 && code < OUTCOMES)
				return code;
		}
		else
		{
			for (int i = 0; i < codes.length; ++i)
				if (codes[i] == code)
					return i;
		}
		throw new IllegalArgumentException("no move has the number " + code);
	}

	/** Ludii's object for what follows from the parent; the seed is for chance. */
	Context reach(final Rules rules, final long seed)
	{
		if (parent == null)
			return rules.start(seed);
		if (parent.mover == CHANCE)
			return parent.reach(rules, Rules.mix(parent.salt + place));
		final Context before = parent.context(rules);
		final Context context = rules.copy(before, seed);
		rules.game.apply(context, rules.moves(before).get(place));
		return context;
	}

	/** Note who moves, what can be played, and the result; whether chance had a part. */
	void look(final Rules rules, final Context context, final long seed, final boolean mayDraw)
	{
		final boolean over = context.trial().over();
		final FastArrayList<Move> moves = over ? null : rules.moves(context);
		if (mayDraw && rules.stochastic && Rules.drawn(context, seed))
		{
			mover = CHANCE;
			codes = new int[0];
			return;
		}
		mover = context.state().playerToAgent(context.state().mover()) - 1;
		codes = over ? new int[0] : rules.codes(moves);
		if (over)
			scores = scores(rules, context);
	}

	/** Keep Ludii's object for as long as there is memory to spare. */
	void keep(final Context context)
	{
		context.trial().endData().clear(); // of use only to take moves back
		kept = new SoftReference<>(context);
	}

	/** Ludii's object for this position, which nobody may change. */
	Context context(final Rules rules)
	{
		Context context = kept == null ? null : kept.get();
		if (context == null)
		{
			context = reach(rules, 0L);
			if (!context.trial().over())
				rules.game.moves(context); // it keeps the list
			keep(context);
		}
		return context;
	}

	static double[] scores(final Rules rules, final Context context)
	{
		final double[] utilities = RankUtils.agentUtilities(context);
		final double[] scores = new double[rules.players];
		for (int player = 0; player < rules.players; ++player)
			scores[player] = 0.5 + 0.5 * utilities[player + 1];
		return scores;
	}
}
