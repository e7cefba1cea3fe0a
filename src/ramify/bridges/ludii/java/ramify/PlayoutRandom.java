package ramify;

import java.util.Random;

/** SplitMix64 as a java.util.Random: faster, and reproducible across machines. */
final class PlayoutRandom extends Random
{
	private static final long serialVersionUID = 1L;

	private long state;

	@Override
	public void setSeed(final long seed)
	{
		state = seed;
	}

	@Override
	protected int next(final int bits)
	{
		final long word = Rules.mix(state);
		state += 0x9E3779B97F4A7C15L;
		return (int) (word >>> (64 - bits));
	}
}
