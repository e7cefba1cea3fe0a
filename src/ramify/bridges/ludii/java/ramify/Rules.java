package ramify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import game.Game;
import main.collections.FastArrayList;
import main.options.Option;
import main.options.OptionCategory;
import main.options.Ruleset;
import org.apache.commons.rng.core.source64.SplitMix64;
import other.GameLoader;
import other.context.Context;
import other.move.Move;
import other.trial.Trial;

/** A Ludii game and the codes of its moves: equal moves have the same code in all positions. */
public final class Rules
{
	private static final int EMPTY = -1;

	public final Game game;
	public final boolean stochastic;
	public final int players;

	/** Open-addressing hash table from a move's key to its code. */
	private long[] keys = new long[1 << 10];
	private int[] numbers = new int[1 << 10];
	private int known = 0;

	/** By code: the last list of moves that contained it. */
	private int[] listed = new int[1 << 10];
	private int lists = 0;

	public Rules(final String file, final String[] options)
	{
		game = GameLoader.loadGameFromName(file, new ArrayList<>(Arrays.asList(options)));
		stochastic = game.isStochasticGame();
		players = game.players().count();
		Arrays.fill(numbers, EMPTY);
	}

	/** Return all options, each as heading, slash and choice. */
	public String[] options()
	{
		final List<String> found = new ArrayList<>();
		for (final OptionCategory category : game.description().gameOptions().categories())
			for (final Option option : category.options())
				found.add(String.join("/", option.menuHeadings()));
		return found.toArray(new String[0]);
	}

	/** Return the rulesets that have options: the name, then one option per line. */
	public String[] rulesets()
	{
		final List<String> found = new ArrayList<>();
		for (final Ruleset ruleset : game.description().rulesets())
			if (!ruleset.optionSettings().isEmpty())
				found.add(ruleset.heading() + "\n" + String.join("\n", ruleset.optionSettings()));
		return found.toArray(new String[0]);
	}

	/** Return the properties that decide whether a search can play the game. */
	public String[] kinds()
	{
		final List<String> found = new ArrayList<>();
		if (game.isDeductionPuzzle())
			found.add("deduction");
		if (game.isSimulationMoveGame() || players < 1)
			found.add("simulation");
		else if (!game.isAlternatingMoveGame())
			found.add("simultaneous");
		if (game.hiddenInformation())
			found.add("hidden");
		if (stochastic)
			found.add("chance");
		if (game.hasSubgames())
			found.add("match");
		return found.toArray(new String[0]);
	}

	/** Start a game; chance is drawn from the seed. */
	public Context start(final long seed)
	{
		final Context context = new Context(game, new Trial(game));
		seed(context, seed);
		game.start(context);
		return context;
	}

	/** Return an independent copy, reseeded in games with chance. */
	public Context copy(final Context context, final long seed)
	{
		if (!stochastic)
			return new Context(context);
		final Context copied = Context.copyWithSeed(context);
		seed(copied, seed);
		return copied;
	}

	public static void seed(final Context context, final long seed)
	{
		context.rng().restoreState(new SplitMix64(seed).saveState());
	}

	/** Whether random numbers were drawn since the generator was seeded. */
	public static boolean drawn(final Context context, final long seed)
	{
		final SplitMix64 fresh = new SplitMix64(seed);
		final SplitMix64 used = new SplitMix64(0L);
		used.restoreState(context.rng().saveState());
		return fresh.nextLong() != used.nextLong();
	}

	/** Return the legal moves of a position that is not over, in Ludii's order; a player without a move passes. */
	public FastArrayList<Move> moves(final Context context)
	{
		final FastArrayList<Move> moves = game.moves(context).moves();
		if (!moves.isEmpty() || players == 1)
			return moves;
		final FastArrayList<Move> pass = new FastArrayList<>();
		pass.add(Game.createPassMove(context, true));
		return pass;
	}

	/** Return distinct codes for the moves of a position. */
	public synchronized int[] codes(final FastArrayList<Move> moves)
	{
		final int[] codes = new int[moves.size()];
		++lists;
		for (int i = 0; i < codes.length; ++i)
		{
			final long key = key(moves.get(i));
			int code = number(key);
			for (long more = 1; listed[code] == lists; ++more)
				code = number(mix(key + more));
			listed[code] = lists;
			codes[i] = code;
		}
		return codes;
	}

	/** Return the code of a move; ambiguous if a position has several moves with the same key. */
	public synchronized int code(final Move move)
	{
		return number(key(move));
	}

	private static long key(final Move move)
	{
		if (move.isPass())
			return 1L;
		if (move.isSwap())
			return 2L;
		long key = mix(3L + move.fromNonDecision());
		key = mix(key + move.toNonDecision());
		return mix(key + move.stateNonDecision());
	}

	private int number(final long key)
	{
		int at = (int) mix(key) & (keys.length - 1);
		while (numbers[at] != EMPTY)
		{
			if (keys[at] == key)
				return numbers[at];
			at = (at + 1) & (keys.length - 1);
		}
		keys[at] = key;
		numbers[at] = known++;
		final int number = numbers[at];
		if (2 * known > keys.length)
			grow();
		return number;
	}

	private void grow()
	{
		final long[] oldKeys = keys;
		final int[] oldNumbers = numbers;
		keys = new long[2 * oldKeys.length];
		numbers = new int[2 * oldNumbers.length];
		listed = Arrays.copyOf(listed, keys.length);
		Arrays.fill(numbers, EMPTY);
		for (int i = 0; i < oldKeys.length; ++i)
		{
			if (oldNumbers[i] == EMPTY)
				continue;
			int at = (int) mix(oldKeys[i]) & (keys.length - 1);
			while (numbers[at] != EMPTY)
				at = (at + 1) & (keys.length - 1);
			keys[at] = oldKeys[i];
			numbers[at] = oldNumbers[i];
		}
	}

	/** SplitMix64's finalizer. */
	static long mix(final long word)
	{
		long z = word + 0x9E3779B97F4A7C15L;
		z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
		z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
		return z ^ (z >>> 31);
	}
}
