package ramify;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import other.context.Context;
import other.move.Move;
import other.trial.Trial;

/**
 * What one search asks of a game: a whole simulation in one call.
 *
 * Positions are known by numbers, which all sessions share. Answers stand in a buffer of words of eight bytes that
 * Python sees, too: HANDLE, MOVER, COUNT, MADE, then the scores as doubles, then codes of moves, then the trace.
 */
public final class Session
{
	private static final int HANDLE = 0;
	private static final int MOVER = 1;
	private static final int COUNT = 2;
	private static final int MADE = 3;
	private static final int SCORES = 4;

	private static Node[] nodes = new Node[1 << 10];
	private static final List<Integer> free = new ArrayList<>();
	private static int used = 0;

	private final Rules rules;
	private final ByteBuffer buffer;
	private final int mostMoves;
	private final int mostTraced;
	private final Draws draws = new Draws();

	public Session(final Rules rules, final ByteBuffer buffer, final int mostMoves, final int mostTraced)
	{
		this.rules = rules;
		this.buffer = buffer.order(ByteOrder.nativeOrder());
		this.mostMoves = mostMoves;
		this.mostTraced = mostTraced;
	}

	/** The position in which the game begins. */
	public int start()
	{
		return tell(Node.start(rules));
	}

	/** The position after a move. */
	public int step(final int handle, final int code)
	{
		final Node node = follow(handle, code);
		final Context context = node.reach(rules, node.salt);
		node.look(rules, context, node.salt, node.parent.mover != Node.CHANCE);
		if (node.mover != Node.CHANCE)
			node.keep(context);
		return tell(node);
	}

	/**
	 * Make a move, if the code is one, and tell what the position is like; then play on to the end at random.
	 *
	 * @return the plies of the playout, or -1 - plies where the limit cut it; below 0 the limit is none
	 */
	public int simulate(final int handle, final int code, final long seed, final int limit, final boolean traced)
	{
		final Context context;
		if (code >= 0)
		{
			final Node node = follow(handle, code);
			context = node.reach(rules, seed);
			node.look(rules, context, seed, node.parent.mover != Node.CHANCE);
			tell(node);
		}
		else
		{
			final Node node = get(handle);
			context = node.mover == Node.CHANCE ? node.reach(rules, seed) : rules.copy(node.context(rules), seed);
		}
		return playout(context, seed, limit, traced);
	}

	private int playout(final Context context, final long seed, final int limit, final boolean traced)
	{
		final Trial trial = context.trial();
		final int before = trial.numMoves();
		draws.setSeed(seed);
		if (rules.stochastic)
			Rules.seed(context, Rules.mix(seed));
		if (!trial.over())
			rules.game.playout(context, null, 1.0, null, 0, limit, draws);
		final int plies = trial.numMoves() - before;
		put(Node.scores(rules, context));
		if (traced)
			trace(context, before);
		return trial.over() ? plies : -1 - plies;
	}

	/** Write down who made which moves. */
	private void trace(final Context context, final int before)
	{
		final Trial trial = context.trial();
		final int first = SCORES + rules.players + mostMoves;
		final int made = Math.min(trial.numMoves() - before, mostTraced);
		for (int i = 0; i < made; ++i)
		{
			final Move move = trial.getMove(before + i);
			buffer.putLong(8 * (first + 2 * i), context.state().playerToAgent(move.mover()) - 1L);
			buffer.putLong(8 * (first + 2 * i + 1), rules.code(move));
		}
		buffer.putLong(8 * MADE, made);
	}

	/** What each move is called. */
	public String[] names(final int handle)
	{
		final Context context = get(handle).context(rules);
		final List<String> names = new ArrayList<>();
		for (final Move move : rules.moves(context))
			names.add(Words.name(move, context));
		return names.toArray(new String[0]);
	}

	/** What stands where; where chance is to move, before it has. */
	public String draw(final int handle)
	{
		final Node node = get(handle);
		if (node.mover != Node.CHANCE)
			return Words.draw(node.context(rules));
		return node.parent == null ? "" : Words.draw(node.parent.context(rules));
	}

	/** Whether an agent, from 1, has another colour than at the start; where chance is to move, before it has. */
	public boolean swapped(final int handle, final int agent)
	{
		final Node node = get(handle);
		if (node.mover != Node.CHANCE)
			return node.context(rules).state().playerToAgent(agent) != agent;
		return node.parent != null && node.parent.context(rules).state().playerToAgent(agent) != agent;
	}

	/** A number that equal positions share. */
	public long key(final int handle)
	{
		final Node node = get(handle);
		if (node.mover == Node.CHANCE)
			return node.salt;
		final Context context = node.context(rules);
		return Rules.mix(context.state().fullHash(context) + node.mover);
	}

	/** Forget the positions whose numbers stand in the buffer. */
	public void free(final int count)
	{
		synchronized (Session.class)
		{
			for (int i = 0; i < count; ++i)
			{
				final int handle = (int) buffer.getLong(8 * i);
				nodes[handle] = null;
				free.add(handle);
			}
		}
	}

	/** How many positions are kept. */
	public static synchronized int kept()
	{
		return used - free.size();
	}

	private Node follow(final int handle, final int code)
	{
		final Node node = get(handle);
		return new Node(node, node.placeOf(code));
	}

	/** Give a node a number, and tell all about it. */
	private int tell(final Node node)
	{
		final int count = node.mover == Node.CHANCE ? Node.OUTCOMES : node.codes.length;
		if (count > mostMoves)
			throw new IllegalStateException("a position has " + count + " moves, more than " + mostMoves);
		if (count == 0 && node.scores == null)
			throw new IllegalStateException("a position that is not over has no moves");
		final int handle = add(node);
		buffer.putLong(8 * HANDLE, handle);
		buffer.putLong(8 * MOVER, node.mover);
		buffer.putLong(8 * COUNT, count);
		final int first = SCORES + rules.players;
		for (int i = 0; i < count; ++i)
			buffer.putLong(8 * (first + i), node.mover == Node.CHANCE ? i : node.codes[i]);
		if (node.scores != null)
			put(node.scores);
		return handle;
	}

	private void put(final double[] scores)
	{
		for (int player = 0; player < scores.length; ++player)
			buffer.putDouble(8 * (SCORES + player), scores[player]);
	}

	private static synchronized Node get(final int handle)
	{
		return nodes[handle];
	}

	private static synchronized int add(final Node node)
	{
		final int handle = free.isEmpty() ? used++ : free.remove(free.size() - 1);
		if (handle == nodes.length)
			nodes = Arrays.copyOf(nodes, 2 * nodes.length);
		nodes[handle] = node;
		return handle;
	}
}
