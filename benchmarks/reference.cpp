// The plain UCT search of src/ramify/core/search/loop.py, by hand in C++17 and inlined per game: a yardstick for speed and
// an oracle. The same seed gives the same tree, bit for bit, so names and the order of random draws follow the Python.
//
//     reference GAME SIMULATIONS SEED C SECONDS
//
// See README.md for how to compile it and what it prints.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>
#ifdef __x86_64__
#include <immintrin.h>
#endif

using u64 = std::uint64_t;

// core/numbers/rng.py

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

// core/numbers/bits.py

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

// core/search/tree.py

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
    u64 mine = 0x000000000000FFFF, theirs = 0xFFFF000000000000;
    int to_move = 0;

    int mover() const { return to_move; }
    bool over() const { return (theirs & FAR[1 - to_move]) != 0 || mine == 0; }

    struct Steps { u64 straight, left, right; };
    template <int us> Steps steps() const {  // white (0) moves up
        u64 free = ~(mine | theirs), left = mine & NOT_LEFT, right = mine & NOT_RIGHT;
        if (us == 0) return {mine << 8 & free, left << 7 & ~mine, right << 9 & ~mine};
        return {mine >> 8 & free, left >> 9 & ~mine, right >> 7 & ~mine};
    }
    template <class Add> void legal(Add add) const {
        auto [straight, left, right] = to_move == 0 ? steps<0>() : steps<1>();
        int delta = to_move == 0 ? 8 : -8;
        auto add_all = [&](u64 targets, int change) {
            for (; targets; targets &= targets - 1) add((lowest(targets) - change) * SQUARES + lowest(targets));
        };
        add_all(straight, delta);
        add_all(left, delta - 1);
        add_all(right, delta + 1);
    }
    void step(u64 origin, u64 to) {
        u64 moved = (mine ^ origin) | to;
        mine = theirs & ~to;
        theirs = moved;
        to_move = 1 - to_move;
    }
    void play(int move) { step(u64(1) << move / SQUARES, u64(1) << move % SQUARES); }
    template <int us> void advance(Rng& rng) {  // no branch on the kind of step: past the end of its word, nth_bit is 0
        auto [straight, left, right] = steps<us>();
        int straights = popcount(straight), lefts = popcount(left);
        int chosen = rng.below(straights + lefts + popcount(right));
        straight = nth_bit(straight, chosen);
        left = nth_bit(left, chosen - straights);
        right = nth_bit(right, chosen - straights - lefts);
        u64 origin = us == 0 ? straight >> 8 | left >> 7 | right >> 9 : straight << 8 | left << 9 | right << 7;
        step(origin, straight | left | right);
    }
    void advance(Rng& rng) { to_move == 0 ? advance<0>(rng) : advance<1>(rng); }
    double score_of_first() const { return to_move; }
};

// games/tron.py on 20x20 without walls; both players move at once

struct Tron {
    static constexpr int SIZE = 20, WORDS = SIZE + 4, MAX_MOVES = 4, PLAYERS = 2, NO_HEADING = 4;
    u64 taken[WORDS];
    int row[2] = {10, 11}, column[2] = {5, 16}, heading[2] = {NO_HEADING, NO_HEADING}, stuck = 0;

    Tron() {
        for (int word = 0; word < WORDS; ++word)
            taken[word] = word > 1 && word < SIZE + 2 ? ~(((u64(1) << SIZE) - 1) << 2) : ~u64(0);
        for (int player : {0, 1}) taken[row[player] + 1] |= u64(1) << (column[player] + 1);
    }
    bool over() const { return stuck != 0; }

    int free(int player) const {  // bits 0 to 3: north, east, south, west
        const u64* here = taken + row[player];
        u64 north = ~here[0] >> column[player], sides = ~here[1] >> column[player], south = ~here[2] >> column[player];
        return int((north >> 1 & 1) | (sides >> 1 & 2) | (south << 1 & 4) | (sides << 3 & 8));
    }
    static int directions(u64 window) {
        return int((window >> 10 & 1) | (window >> 18 & 2) | (window >> 24 & 4) | (window >> 14 & 8));
    }
    int good(int player) const {  // moves with a way on; where there is none, all
        const u64* here = taken + row[player] - 1;
        u64 window = 0;
        for (int k = 0; k < 5; ++k) window |= (~here[k] >> (column[player] - 1) & 31) << 8 * k;
        u64 beyond = window & (window << 1 | window >> 1 | window << 8 | window >> 8);
        int found = directions(beyond);
        return found ? found : directions(window);
    }
    template <class Add> void legal(int player, Add add) const {
        for (int moves = free(player); moves; moves &= moves - 1) add(__builtin_ctz(moves));
    }
    void ride(int player, int move) {
        int odd = move & 1;
        heading[player] = move;
        row[player] += (move - 1) * (1 - odd);
        column[player] += (2 - move) * odd;
        taken[row[player] + 1] |= u64(1) << (column[player] + 1);
    }
    void play(const int* moves) {
        ride(0, moves[0]);
        ride(1, moves[1]);
        bool met = row[0] == row[1] && column[0] == column[1];
        stuck = met ? 3 : (free(0) == 0) + 2 * (free(1) == 0);
    }
    int draw(int player, Rng& rng) const {
        int moves = good(player), ahead = heading[player];
        if (ahead == NO_HEADING) {
            int n = rng.below(__builtin_popcount(moves));
            while (n-- > 0) moves &= moves - 1;
            return __builtin_ctz(moves);
        }
        int straight = 68 * (moves >> ahead & 1), right = 16 * (moves >> ((ahead + 1) & 3) & 1),
            left = 16 * (moves >> ((ahead + 3) & 3) & 1), drawn = rng.below(straight + right + left);
        return (ahead + (drawn >= straight) + 2 * (drawn >= straight + right)) & 3;
    }
    void advance(Rng& rng) {
        int moves[2];
        for (int player : {0, 1}) moves[player] = draw(player, rng);
        play(moves);
    }
    double score_of_first() const { return stuck == 3 ? 0.5 : stuck == 2; }
};

// strategies/selection: ucb1 with the tie-breaking of core/vector/four_arms.py

constexpr int WIDTH = 4, LOGS = 1 << 16, MAX_ARMS = 64;

typedef double Lanes __attribute__((vector_size(8 * WIDTH)));
typedef std::int32_t Ints __attribute__((vector_size(4 * WIDTH)));
typedef std::int64_t Masks __attribute__((vector_size(8 * WIDTH)));

#ifdef __AVX__
Lanes square_root(Lanes x) { return Lanes(_mm256_sqrt_pd(__m256d(x))); }
u64 bits_of(Masks hits) { return u64(_mm256_movemask_pd(__m256d(hits))); }
#else
Lanes square_root(Lanes x) { return {std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])}; }
u64 bits_of(Masks hits) { return u64((hits[0] & 1) | (hits[1] & 2) | (hits[2] & 4) | (hits[3] & 8)); }
#endif

struct Ucb1 {
    double fpu, c;
    std::vector<double> logs;

    Ucb1(double fpu, double c) : fpu(fpu), c(c), logs(LOGS) {
        for (int n = 0; n < LOGS; ++n) logs[n] = std::log(double(n));
    }

    // Reads up to three records past the last arm.
    int choose(const Node* arms, int count, int visits, Rng& rng) const {
        const double log_visits = visits < LOGS ? logs[visits] : std::log(double(visits));
        Lanes indices[MAX_ARMS / WIDTH], best = Lanes{} - INFINITY;
        for (int k = 0; k < count; k += WIDTH) {
            const Node* arm = arms + k;
            Ints visited = {arm[0].visits, arm[1].visits, arm[2].visits, arm[3].visits};
            Lanes n = __builtin_convertvector(visited, Lanes);
            Lanes m = Lanes{arm[0].total, arm[1].total, arm[2].total, arm[3].total} / n;
            Lanes value = n == 0.0 ? Lanes{} + fpu : m + c * square_root(log_visits / n);
            value = Masks{0, 1, 2, 3} < Masks{} + (count - k) ? value : Lanes{} + NAN;
            indices[k / WIDTH] = value;
            best = value > best ? value : best;
        }
        const Lanes half = Lanes{best[2], best[3], best[2], best[3]};
        best = half > best ? half : best;
        const double top = best[1] > best[0] ? best[1] : best[0];
        u64 hits = 0;
        for (int k = 0; k < count; k += WIDTH) hits |= bits_of(indices[k / WIDTH] == Lanes{} + top) << k;
        int ties = popcount(hits);
        return lowest(ties <= 1 ? hits : nth_bit(hits, rng.below(ties)));
    }
};

// core/search/loop.py

template <class Game> struct Search {
    static constexpr int MAX_DEPTH = 4096, EXPAND_THRESHOLD = 1, PLAYOUT_LIMIT = 10000;
    const std::int64_t capacity;
    const std::unique_ptr<Node[]> nodes;
    Ucb1 policy;
    Rng rng{0};
    Game root, state;
    std::int64_t used, simulated, calls;
    int path[MAX_DEPTH + 1];

    // Room for the largest tree there can be. It is not filled with zeros: pages that are not needed are never touched.
    Search(std::int64_t simulations, double fpu, double c)
        : capacity(1 + (simulations + 1) * Game::MAX_MOVES + WIDTH), nodes(new Node[capacity]), policy(fpu, c) {}

    void clear(u64 seed) {
        rng = Rng(seed);
        nodes[ROOT] = {UNEXPANDED, 0, 0, 0, 0.0, 0.0f, 0, 0};
        used = 1;
        simulated = calls = 0;
    }

    bool search(std::int64_t simulations) {  // until so many in all; false: the tree needs a larger array
        for (; simulated < simulations; ++simulated) {
            if (used + Game::MAX_MOVES + WIDTH > capacity) return false;
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
            if (fresh && node != ROOT)  // no child has been visited
                node = parent.first + (parent.count > 1 ? rng.below(parent.count) : 0);
            else
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

// core/shapes/simultaneous.py for two players

template <class Game> struct JointSearch : Search<Game> {
    using Base = Search<Game>;
    using Base::nodes, Base::used, Base::state, Base::path, Base::rng, Base::policy, Base::simulated, Base::calls;
    static constexpr int FAMILY = 2 + 2 * Game::MAX_MOVES + 4 * Game::MAX_MOVES;

    JointSearch(std::int64_t simulations, double fpu, double c)
        : Base((simulations + 2) * FAMILY / Game::MAX_MOVES, fpu, c) {}

    bool search(std::int64_t simulations) {
        for (; simulated < simulations; ++simulated) {
            if (used + FAMILY + WIDTH > this->capacity) return false;
            state = this->root;
            int depth = descend();
            back_up(depth, this->play_out());
        }
        return true;
    }

    int descend() {
        int depth = 0;
        path[0] = ROOT;
        for (bool expanded = false; depth < Base::MAX_DEPTH;) {
            Node& here = nodes[path[depth]];
            bool fresh = false;
            if (here.first == UNEXPANDED) {
                if (expanded || (here.visits < Base::EXPAND_THRESHOLD && depth > 0)) break;
                fresh = expand(here);
                expanded = true;
            }
            if (here.first < 0) break;
            int moves[2], places[2];
            for (int player : {0, 1}) {
                const Node& seat = nodes[here.first + player];
                if (fresh && depth > 0)
                    places[player] = seat.count > 1 ? rng.below(seat.count) : 0;
                else
                    places[player] = policy.choose(&nodes[seat.first], seat.count, seat.visits, rng);
                moves[player] = nodes[seat.first + places[player]].move;
            }
            state.play(moves);
            path[++depth] = joint_child(here.first, places);
        }
        calls += depth;
        return depth;
    }

    bool expand(Node& here) {
        if (state.over()) return here.first = TERMINAL, false;
        const std::int64_t seats = used;
        used += 2;
        for (int player : {0, 1}) {
            const std::int64_t first = used;
            state.legal(player, [&](int move) { nodes[used++] = {UNEXPANDED, 0, move, 0, 0.0, 0.0f, 0, 0}; });
            nodes[seats + player] = {int(first), int(used - first), player, here.visits, 0.0, 0.0f,
                                     std::int16_t(player), 0};
        }
        here.first = int(seats);
        here.count = 2;
        return true;
    }

    int joint_child(int seats, const int* places) {  // below each arm of the first player, a row with the second's
        Node& arm = nodes[nodes[seats].first + places[0]];
        if (arm.first == UNEXPANDED) {
            const int count = nodes[seats + 1].count;
            arm.first = int(used);
            arm.count = 2 * count;
            for (int k = 0; k < count; ++k)
                for (int player : {0, 1})
                    nodes[used++] = {UNEXPANDED, 0, player ? k : places[0], 0, 0.0, 0.0f, 0, 0};
        }
        return arm.first + 2 * places[1];
    }

    void back_up(int depth, double score) {
        const double scores[2] = {score, 1.0 - score};
        ++nodes[ROOT].visits;
        for (int level = 1; level <= depth; ++level) {
            const int seats = nodes[path[level - 1]].first;
            for (int player : {0, 1}) {
                Node &seat = nodes[seats + player], &own = nodes[path[level] + player];
                Node& arm = nodes[seat.first + own.move];
                ++seat.visits;
                for (Node* node : {&arm, &own}) {
                    ++node->visits;
                    node->total += scores[player];
                }
            }
        }
    }
};

template <class Engine> int report(const char* name, std::int64_t simulations, u64 seed, double c, double enough) {
    Engine engine(simulations, 10000.0, c);
    double seconds = INFINITY, by_tenths = 0.0, in_all = 0.0;
    std::vector<double> tenths(10, INFINITY);
    for (int repeat = 0; repeat < 2 || in_all < enough; ++repeat) {
        engine.clear(seed);
        double sum = 0.0;
        for (int k = 0; k < 10; ++k) {
            auto start = std::chrono::steady_clock::now();
            if (!engine.search(simulations * (k + 1) / 10)) return std::fputs("the tree is full\n", stderr), 1;
            double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            if (repeat > 0) tenths[k] = std::min(tenths[k], spent);
            sum += spent;
        }
        if (repeat == 0) continue;  // memory had not been touched before
        seconds = std::min(seconds, sum);
        in_all += sum;
    }
    for (double tenth : tenths) by_tenths += tenth;
    std::printf("{\"game\": \"%s\", \"simulations\": %lld, \"seconds\": %.9f, \"rate\": %.0f, \"rate_by_tenths\": %.0f, "
                "\"calls\": %lld, \"nodes\": %lld, \"children\": [", name, (long long)simulations, seconds,
                simulations / seconds, simulations / by_tenths, (long long)engine.calls, (long long)engine.used);
    const Node& root = engine.nodes[ROOT];
    for (int k = 0; k < root.count; ++k) {
        const Node& child = engine.nodes[root.first + k];
        std::printf("%s[%d, %d, %.17g]", k ? ", " : "", child.move, child.visits, child.total);
    }
    std::printf("], \"hash\": \"%016llx\"}\n", (unsigned long long)engine.hash());
    return 0;
}

int main(int count, char** words) {
    if (count != 6) return std::fputs("usage: reference GAME SIMULATIONS SEED C SECONDS\n", stderr), 2;
    const std::int64_t simulations = std::atoll(words[2]);
    const u64 seed = std::strtoull(words[3], nullptr, 10);
    const double c = std::atof(words[4]), seconds = std::atof(words[5]);
    const std::string game = words[1];
    try {
        if (game == "tictactoe") return report<Search<TicTacToe>>(words[1], simulations, seed, c, seconds);
        if (game == "connect4") return report<Search<Connect4>>(words[1], simulations, seed, c, seconds);
        if (game == "tron") return report<JointSearch<Tron>>(words[1], simulations, seed, c, seconds);
        if (game == "breakthrough") return report<Search<Breakthrough>>(words[1], simulations, seed, c, seconds);
    } catch (const std::bad_alloc&) {
        return std::fputs("there is not enough memory for the tree\n", stderr), 1;
    }
    return std::fputs("games: tictactoe, connect4, breakthrough, tron\n", stderr), 2;
}
