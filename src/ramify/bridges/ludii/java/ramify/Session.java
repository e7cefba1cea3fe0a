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
 * One search of a game; a whole simulation is one call.
 *
 * Positions are identified by handles, which all sessions share. Results are written to a buffer of 8-byte words shared
 * with Python: HANDLE, MOVER, COUNT, MADE, then the scores as doubles, the codes of the moves, and the trace.
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
	private final int maxMoves;
	private final int maxTraced;
	private final PlayoutRandom random = new PlayoutRandom();

	public Session(final Rules rules, final ByteBuffer buffer, final int maxMoves, final int maxTraced)
	{
		this.rules = rules;
		this.buffer = buffer.order(ByteOrder.nativeOrder());
		this.maxMoves = maxMoves;
		this.maxTraced = maxTraced;
	}

	/** Write the initial position to the buffer and return its handle. */
	public int start()
	{
		return publish(Node.start(rules));
	}

	/** Write the position after a move to the buffer and return its handle. */
	public int step(final int handle, final int code)
	{
		final Node node = follow(handle, code);
		final Context context = node.reach(rules, node.salt);
		node.inspect(rules, context, node.salt, node.parent.mover != Node.CHANCE);
		if (node.mover != Node.CHANCE)
			node.cache(context);
		return publish(node);
	}

	/**
	 * Make a move (unless code is negative), write the new position to the buffer, and run a playout from it.
	 *
	 * @return the plies of the playout, or -1 - plies if the limit cut it; a negative limit means none
	 */
	public int simulate(final int handle, final int code, final long seed, final int limit, final boolean traced)
	{
		final Context context;
		if (code >= 0)
		{
			final Node node = follow(handle, code);
			context = node.reach(rules, seed);
			node.inspect(rules, context, seed, node.parent.mover != Node.CHANCE);
			publish(node);
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
		random.setSeed(seed);
		if (rules.stochastic)
			Rules.seed(context, Rules.mix(seed));
		if (!trial.over())
			rules.game.playout(context, null, 1.0, null, 0, limit, random);
		final int plies = trial.numMoves() - before;
		put(Node.scores(rules, context));
		if (traced)
			trace(context, before);
		return trial.over() ? plies : -1 - plies;
	}

	/** Write the playout's movers and codes to the buffer. */
	private void trace(final Context context, final int before)
	{
		final Trial trial = context.trial();
		final int first = SCORES + rules.players + maxMoves;
		final int made = Math.min(trial.numMoves() - before, maxTraced);
		for (int i = 0; i < made; ++i)
		{
			final Move move = trial.getMove(before + i);
			buffer.putLong(8 * (first + 2 * i), context.state().playerToAgent(move.mover()) - 1L);
			buffer.putLong(8 * (first + 2 * i + 1), rules.code(move));
		}
		buffer.putLong(8 * MADE, made);
	}

	/** Return the names of the moves. */
	public String[] names(final int handle)
	{
		final Context context = get(handle).context(rules);
		final List<String> names = new ArrayList<>();
		for (final Move move : rules.moves(context))
			names.add(Texts.name(move, context));
		return names.toArray(new String[0]);
	}

	/** Return the pieces and their sites; of a chance node, those before the move. */
	public String draw(final int handle)
	{
		final Node node = get(handle);
		if (node.mover != Node.CHANCE)
			return Texts.draw(node.context(rules));
		return node.parent == null ? "" : Texts.draw(node.parent.context(rules));
	}

	/** Whether an agent, from 1, has changed colours since the start; of a chance node, before the move. */
	public boolean swapped(final int handle, final int agent)
	{
		final Node node = get(handle);
		if (node.mover != Node.CHANCE)
			return node.context(rules).state().playerToAgent(agent) != agent;
		return node.parent != null && node.parent.context(rules).state().playerToAgent(agent) != agent;
	}

	/** Return a hash of the position and the mover. */
	public long key(final int handle)
	{
		final Node node = get(handle);
		if (node.mover == Node.CHANCE)
			return node.salt;
		final Context context = node.context(rules);
		return Rules.mix(context.state().fullHash(context) + node.mover);
	}

	/** Release the first count handles in the buffer. */
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

	/** Return the number of positions in use. */
	public static synchronized int kept()
	{
		return used - free.size();
	}

	private Node follow(final int handle, final int code)
	{
		final Node node = get(handle);
		return new Node(node, node.indexOf(code));
	}

	/** Assign a handle to a node and write the node to the buffer. */
	private int publish(final Node node)
	{
		final int count = node.mover == Node.CHANCE ? Node.OUTCOMES : node.codes.length;
		if (count > maxMoves)
			throw new IllegalStateException("a position has " + count + " moves, more than " + maxMoves);
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
