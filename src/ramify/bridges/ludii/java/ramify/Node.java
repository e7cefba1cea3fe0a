package ramify;

import java.lang.ref.SoftReference;

import main.collections.FastArrayList;
import other.RankUtils;
import other.context.Context;
import other.move.Move;

/**
 * A position: its parent and move, and, while memory lasts, Ludii's Context, which can be rebuilt from them.
 *
 * A move that involved chance is followed by two levels of nodes: a chance node with OUTCOMES samples, and below it one
 * node per sample.
 */
final class Node
{
	static final int CHANCE = -1;
	static final int OUTCOMES = 64;

	/** Null for the initial position. */
	final Node parent;

	/** Index of the parent's move or sample that led here. */
	final int index;

	/** Hash of the moves and samples that led here; seeds the chance outcomes below. */
	final long salt;

	/** The player to move, from 0, or CHANCE. */
	int mover;

	/** Codes of the legal moves; empty for chance nodes. */
	int[] codes;

	/** Score of each player, from 0 to 1; null before the end of the game. */
	double[] scores = null;

	private SoftReference<Context> cached = null;

	Node(final Node parent, final int index)
	{
		this.parent = parent;
		this.index = index;
		salt = parent == null ? 0L : Rules.mix(parent.salt + index + 1);
	}

	/** Return the node of the initial position. */
	static Node start(final Rules rules)
	{
		final Node node = new Node(null, 0);
		node.inspect(rules, rules.start(0L), 0L, true);
		return node;
	}

	/** Return the index of a code among the legal moves, or of a sample. */
	int indexOf(final int code)
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
		throw new IllegalArgumentException("no move has code " + code);
	}

	/** Return a new Context of this position, built from the parent's; the seed is for chance. */
	Context reach(final Rules rules, final long seed)
	{
		if (parent == null)
			return rules.start(seed);
		if (parent.mover == CHANCE)
			return parent.reach(rules, Rules.mix(parent.salt + index));
		final Context before = parent.context(rules);
		final Context context = rules.copy(before, seed);
		rules.game.apply(context, rules.moves(before).get(index));
		return context;
	}

	/** Set mover, codes and scores from the Context, or make this a chance node if the move involved chance. */
	void inspect(final Rules rules, final Context context, final long seed, final boolean mayDraw)
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

	/** Cache the Context while memory lasts. */
	void cache(final Context context)
	{
		context.trial().endData().clear(); // only needed to undo moves
		cached = new SoftReference<>(context);
	}

	/** Return the cached or rebuilt Context of this position; callers must not change it. */
	Context context(final Rules rules)
	{
		Context context = cached == null ? null : cached.get();
		if (context == null)
		{
			context = reach(rules, 0L);
			if (!context.trial().over())
				rules.game.moves(context); // the Context caches the list
			cache(context);
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
