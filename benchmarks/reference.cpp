// The plain UCT search of src/ramify/core/search.py, by hand in C++17 and inlined per game: a yardstick for speed and
// an oracle. The same seed gives the same tree, bit for bit, so names and the order of random draws follow the Python.
//
//     reference GAME SIMULATIONS SEED C REPEATS
//
// See README.md for how to compile it and what it prints.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#ifdef __BMI2__
#include <immintrin.h>
#endif

using u64 = std::uint64_t;

// core/rng.py

u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

struct Rng {
    u64 state;

    explicit Rng(u64 seed) : state(mix(mix(seed))) {}
    u64 word() { return mix(state += 0x9E3779B97F4A7C15u); }
    int below(int n) { return int(((word() >> 32) * u64(n)) >> 32); }
};

// core/bits.py

int popcount(u64 word) { return __builtin_popcountll(word); }
int lowest(u64 word) { return __builtin_ctzll(word); }

u64 nth_bit(u64 word, int n) {  // the n-th set bit alone, or 0; popcount(word) - 64 <= n < 64
#ifdef __BMI2__
    return _pdep_u64(u64(1) << (n & 63), word);
#else
    if (n < 0) return 0;
    while (n-- > 0) word &= word - 1;
    return word & -word;
#endif
}

// core/tree.py

constexpr int ROOT = 0, UNEXPANDED = -1, TERMINAL = -2;

struct Node {
    std::int32_t first, count, move, visits;
    double total;
    float chance;
    std::int16_t mover, spare;
};
static_assert(sizeof(Node) == 32, "a node is half a cache line");

// games/tictactoe.py and games/connect4.py

struct Stones {
    u64 mine = 0, theirs = 0;  // of the player to move and of the other

    int mover() const { return popcount(mine | theirs) & 1; }
    void place(u64 stone) {
        u64 stones = mine | stone;
        mine = theirs;
        theirs = stones;
    }
};

struct TicTacToe : Stones {
    static constexpr int MAX_MOVES = 9;
    static constexpr u64 ALL = 0b111111111;

    static bool won(u64 stones) {
        u64 rows = stones & (stones >> 1) & (stones >> 2) & 0b001001001;
        u64 columns = stones & (stones >> 3) & (stones >> 6);
        bool rising = (stones & 0b100010001) == 0b100010001;
        bool falling = (stones & 0b001010100) == 0b001010100;
        return ((rows | columns) != 0) | rising | falling;
    }
    u64 free() const { return ALL & ~(mine | theirs); }
    bool over() const { return free() == 0 || won(theirs); }
    template <class Add> void legal(Add add) const {
        for (u64 rest = free(); rest; rest &= rest - 1) add(lowest(rest));
    }
    void play(int move) { place(u64(1) << move); }
    void advance(Rng& rng) { place(nth_bit(free(), rng.below(popcount(free())))); }
    double score_of_first() const { return won(theirs) ? mover() : 0.5; }
};

struct Connect4 : Stones {
    static constexpr int MAX_MOVES = 7;
    static constexpr u64 BOTTOM = 0x0000040810204081, BOARD = BOTTOM * 0b111111;

    static bool won(u64 stones) {
        u64 lines = 0;
        for (int step : {1, 7, 6, 8}) {
            u64 pairs = stones & (stones >> step);
            lines |= pairs & (pairs >> 2 * step);
        }
        return lines != 0;
    }
    u64 landing() const { return ((mine | theirs) + BOTTOM) & BOARD & ~(mine | theirs); }
    bool over() const { return won(theirs) || (mine | theirs) == BOARD; }
    template <class Add> void legal(Add add) const {
        for (u64 rest = landing(); rest; rest &= rest - 1) add(lowest(rest) / 7);
    }
    void play(int move) { place(landing() & (u64(0b111111) << 7 * move)); }
    void advance(Rng& rng) { place(nth_bit(landing(), rng.below(popcount(landing())))); }
    double score_of_first() const { return won(theirs) ? mover() : 0.5; }
};

// games/breakthrough.py on 8x8

struct Breakthrough {
    static constexpr int MAX_MOVES = 48, SQUARES = 256;
    static constexpr u64 NOT_LEFT = 0xFEFEFEFEFEFEFEFE, NOT_RIGHT = 0x7F7F7F7F7F7F7F7F;
    static constexpr u64 FAR[2] = {0xFF00000000000000, 0x00000000000000FF};
    u64 pawns[2] = {0x000000000000FFFF, 0xFFFF000000000000};
    int to_move = 0;

    int mover() const { return to_move; }
    bool over() const { return (pawns[1 - to_move] & FAR[1 - to_move]) != 0 || pawns[to_move] == 0; }

    struct Steps { u64 straight, left, right; int delta; };
    Steps steps() const {
        u64 mine = pawns[to_move], free = ~(mine | pawns[1 - to_move]);
        u64 left = mine & NOT_LEFT, right = mine & NOT_RIGHT;
        if (to_move == 0) return {mine << 8 & free, left << 7 & ~mine, right << 9 & ~mine, 8};
        return {mine >> 8 & free, left >> 9 & ~mine, right >> 7 & ~mine, -8};
    }
    template <class Add> void legal(Add add) const {
        auto [straight, left, right, delta] = steps();
        auto add_all = [&](u64 targets, int change) {
            for (; targets; targets &= targets - 1) add((lowest(targets) - change) * SQUARES + lowest(targets));
        };
        add_all(straight, delta);
        add_all(left, delta - 1);
        add_all(right, delta + 1);
    }
    void step(u64 origin, u64 to) {
        pawns[to_move] ^= origin | to;
        pawns[1 - to_move] &= ~to;
        to_move = 1 - to_move;
    }
    void play(int move) { step(u64(1) << move / SQUARES, u64(1) << move % SQUARES); }
    void advance(Rng& rng) {  // no branch on the kind of step: past the end of its word, nth_bit is 0
        auto [straight, left, right, delta] = steps();
        int straights = popcount(straight), lefts = popcount(left);
        int chosen = rng.below(straights + lefts + popcount(right));
        straight = nth_bit(straight, chosen);
        left = nth_bit(left, chosen - straights);
        right = nth_bit(right, chosen - straights - lefts);
        u64 origin = to_move == 0 ? straight >> 8 | left >> 7 | right >> 9 : straight << 8 | left << 9 | right << 7;
        step(origin, straight | left | right);
    }
    double score_of_first() const { return to_move; }
};

// strategies/selection/binding.py around ucb1: the loop over the arms has no branch, so that the compiler vectorizes it

constexpr int KNOWN = 1 << 12, MAX_ARMS = 64;
constexpr double URGENT = 10000.0;

struct Ucb1 {
    double fpu, c;
    std::vector<double> logs;

    Ucb1(double fpu, double c) : fpu(fpu), c(c), logs(KNOWN) {
        for (int n = 1; n < KNOWN; ++n) logs[n] = std::log(double(n));
    }

    int choose(const Node* arms, int count, int visits, Rng& rng) const {
        if (fpu >= URGENT) {
            int unvisited = first_play(arms, count, rng);
            if (unvisited >= 0) return unvisited;
        }
        const double ln = visits < KNOWN ? logs[visits] : std::log(double(visits));
        double indices[MAX_ARMS];
        for (int k = 0; k < count; ++k) {
            double n = double(std::max(arms[k].visits, 1));
            double value = arms[k].total / n + c * std::sqrt(ln / n);
            indices[k] = arms[k].visits == 0 ? fpu : value;
        }
        return argmax(indices, count, rng);
    }

    static int first_play(const Node* arms, int count, Rng& rng) {
        int unvisited = 0;
        for (int k = 0; k < count; ++k) unvisited += arms[k].visits == 0;
        if (unvisited == 0) return -1;
        int chosen = unvisited > 1 ? rng.below(unvisited) : 0, k = 0;
        for (; chosen > 0 || arms[k].visits != 0; ++k) chosen -= arms[k].visits == 0;
        return k;
    }

    static int argmax(const double* values, int count, Rng& rng) {
        double best = values[0];
        int winner = 0;
        bool equal = false;
        for (int k = 1; k < count; ++k) {
            equal |= values[k] == best;
            bool better = values[k] > best;
            winner = better ? k : winner;
            best = better ? values[k] : best;
        }
        if (!equal) return winner;
        int ties = 0, k = 0;
        for (int j = 0; j < count; ++j) ties += values[j] == best;
        if (ties == 1) return winner;
        for (int chosen = rng.below(ties); chosen > 0 || values[k] != best; ++k) chosen -= values[k] == best;
        return k;
    }
};

// core/search.py

template <class Game> struct Search {
    static constexpr int MAX_DEPTH = 4096, EXPAND_THRESHOLD = 1, PLAYOUT_LIMIT = 10000;
    std::vector<Node> nodes;
    Ucb1 policy;
    Rng rng{0};
    Game root, state;
    std::int64_t used, simulated, calls;
    int path[MAX_DEPTH + 1];

    Search(std::size_t capacity, double fpu, double c) : nodes(capacity), policy(fpu, c) {}

    void clear(u64 seed) {
        rng = Rng(seed);
        nodes[ROOT] = {UNEXPANDED, 0, 0, 0, 0.0, 0.0f, 0, 0};
        used = 1;
        simulated = calls = 0;
    }

    bool search(std::int64_t simulations) {  // until so many in all; false: the tree needs a larger array
        for (; simulated < simulations; ++simulated) {
            if (used + Game::MAX_MOVES > std::int64_t(nodes.size())) return false;
            state = root;
            int depth = descend();
            back_up(depth, play_out());
        }
        return true;
    }

    int descend() {
        int node = ROOT, depth = 0;
        path[0] = ROOT;
        for (bool fresh = false; !fresh && depth < MAX_DEPTH;) {
            if (nodes[node].first < 0) {
                if (nodes[node].first == TERMINAL || (nodes[node].visits < EXPAND_THRESHOLD && node != ROOT)) break;
                if (expand(nodes[node]) == 0) break;
                fresh = true;
            }
            const Node& parent = nodes[node];
            node = parent.first + policy.choose(&nodes[parent.first], parent.count, parent.visits, rng);
            state.play(nodes[node].move);
            path[++depth] = node;
        }
        calls += depth;
        return depth;
    }

    int expand(Node& node) {
        if (state.over()) return node.first = TERMINAL, 0;
        Node* child = &nodes[used];
        state.legal([&](int move) { *child++ = {UNEXPANDED, 0, move, 0, 0.0, 0.0f, 0, 0}; });
        node.mover = std::int16_t(state.mover());
        node.count = int(child - &nodes[used]);
        node.first = int(used);
        used += node.count;
        return node.count;
    }

    double play_out() {  // the score of the first player; the other's is the rest to 1
        int plies = 0;
        for (; plies < PLAYOUT_LIMIT && !state.over(); ++plies) state.advance(rng);
        calls += plies;
        return state.over() ? state.score_of_first() : 0.5;
    }

    void back_up(int depth, double score) {
        const double scores[2] = {score, 1.0 - score};
        ++nodes[ROOT].visits;
        for (int level = 1; level <= depth; ++level) {
            Node& node = nodes[path[level]];
            ++node.visits;
            node.total += scores[nodes[path[level - 1]].mover];
        }
    }

    u64 hash() const {  // FNV-1a over the first three words of each record: first and count, move and visits, total
        u64 hash = 0xCBF29CE484222325u;
        for (std::int64_t k = 0; k < used; ++k) {
            u64 words[4];
            __builtin_memcpy(words, &nodes[k], sizeof words);
            for (int j = 0; j < 3; ++j) hash = (hash ^ words[j]) * 0x100000001B3u;
        }
        return hash;
    }
};

template <class Game> int report(const char* name, int simulations, u64 seed, double c, int repeats) {
    Search<Game> engine(3'000'000, 10000.0, c);  // outside the clock; every repeat uses the same memory
    double seconds = INFINITY;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        engine.clear(seed);
        auto start = std::chrono::steady_clock::now();
        if (!engine.search(simulations)) return std::fputs("the tree is full\n", stderr), 1;
        seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::printf("{\"game\": \"%s\", \"simulations\": %d, \"seconds\": %.9f, \"rate\": %.0f, "
                "\"calls\": %lld, \"nodes\": %lld, \"children\": [", name, simulations, seconds, simulations / seconds,
                (long long)engine.calls, (long long)engine.used);
    const Node& root = engine.nodes[ROOT];
    for (int k = 0; k < root.count; ++k) {
        const Node& child = engine.nodes[root.first + k];
        std::printf("%s[%d, %d, %.17g]", k ? ", " : "", child.move, child.visits, child.total);
    }
    std::printf("], \"hash\": \"%016llx\"}\n", (unsigned long long)engine.hash());
    return 0;
}

int main(int count, char** words) {
    if (count != 6) return std::fputs("usage: reference GAME SIMULATIONS SEED C REPEATS\n", stderr), 2;
    const int simulations = std::atoi(words[2]), repeats = std::atoi(words[5]);
    const u64 seed = std::strtoull(words[3], nullptr, 10);
    const double c = std::atof(words[4]);
    const std::string game = words[1];
    if (game == "tictactoe") return report<TicTacToe>(words[1], simulations, seed, c, repeats);
    if (game == "connect4") return report<Connect4>(words[1], simulations, seed, c, repeats);
    if (game == "breakthrough") return report<Breakthrough>(words[1], simulations, seed, c, repeats);
    return std::fputs("games: tictactoe, connect4, breakthrough\n", stderr), 2;
}
