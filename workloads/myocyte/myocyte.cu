/* Heart muscle cells: 85 differential equations a cell (membrane currents and calcium handling after
 * Shannon et al. 2004, calmodulin signalling in three compartments after Saucerman and Bers 2008), solved
 * by Fehlberg's embedded method of order 7(8) with step control. A thread is a cell, a CTA one warp.
 * Thousands of instructions without a loop, exponentials and divisions, many live registers, state in
 * global memory cell by cell, so that no two lanes share a sector, and few warps to hide it. */
#include "../workload.h"

#define BLOCK 32
#define STAGES 13
#define ATTEMPTS 6

/* Functions for both sides cannot have the plain pragma: host compilers warn of it. */
#ifdef __CUDA_ARCH__
#define NO_UNROLL _Pragma("unroll 1")
#else
#define NO_UNROLL
#endif

/* Gates, buffers and concentrations in mM, potential in mV, time in ms. J, SL and I: dyadic cleft, below
 * the membrane, cytosol. */
// clang-format off
enum {
    GATE_M, GATE_H, GATE_J, GATE_D, GATE_F, F_CA_J, F_CA_SL, X_TO_S, Y_TO_S, R_TO_S, X_TO_F, Y_TO_F,
    X_KR, X_KS, RYR_R, RYR_O, RYR_I, NAB_J, NAB_SL, TNC_LOW, TNC_CA, TNC_MG, CAM_BUF, MYO_CA, MYO_MG,
    SRB, SLL_J, SLL_SL, SLH_J, SLH_SL, CSQN, CA_SR, NA_J, NA_SL, NA_I, K_I, CA_J, CA_SL, CA_I, VM, ECC_STATES
};

/* Calmodulin, in uM: free, bound by a buffer (B), with kinase (P: bound, phosphorylated ...), with
 * calcineurin (N). */
enum {
    CAM, CA2, CA4, CAM_B, CA2_B, CA4_B, P_B2, P_B, P_T, P_T2, P_A, N_CA4, N_CAM, N_CA2, N_CA4CAM, CAM_STATES
};
// clang-format on

#define STATES (ECC_STATES + 3 * CAM_STATES)

/* What differs between cells besides the initial state. */
struct cell {
    float current, magnesium, buffer_total, kinase_total, calcineurin_total;
};

/* Fehlberg 1968 (NASA TR R-287): stage s is taken at the state plus h times the sum of weights[s][j] times
 * stage j. */
struct tableau {
    float weights[STAGES][STAGES];
};

__constant__ struct tableau d_tableau;

#define FARADAY_RT 0.0374358f /* F/RT at 310 K, 1/mV */
#define FARADAY 96485.0f
#define CAPACITY 1.381e-10f /* F */
#define V_CELL 3.3006e-11f  /* l: 100 um long, 10.25 um radius */
#define V_MYO (0.65f * V_CELL)
#define V_SR (0.035f * V_CELL)
#define V_SL (0.02f * V_CELL)
#define V_J (5.39e-4f * V_CELL)
#define PART_J 0.11f
#define PART_SL 0.89f
#define K_O 5.4f
#define NA_O 140.0f
#define CA_O 1.8f
#define MG_I 1.0f

__host__ __device__ static inline float cube(float x) { return x * x * x; }
__host__ __device__ static inline float logistic(float x) { return 1 / (1 + expf(-x)); }

struct currents {
    float na_j, na_sl, ca_j, ca_sl, k, cl;
};

/* Fast sodium current after Luo and Rudy: its gates have other formulas above -40 mV. */
__host__ __device__ static void sodium(const float *y, float *dy, float e_j, float e_sl, struct currents *i)
{
    float v = y[VM], ah = 0, aj = 0, bh, bj;
    float am = 0.32f * (v + 47.13f) / (1 - expf(-0.1f * (v + 47.13f))), bm = 0.08f * expf(-v / 11);
    if (v >= -40) {
        bh = 1 / (0.13f * (1 + expf(-(v + 10.66f) / 11.1f)));
        bj = 0.3f * expf(-2.535e-7f * v) / (1 + expf(-0.1f * (v + 32)));
    } else {
        ah = 0.135f * expf((80 + v) / -6.8f);
        bh = 3.56f * expf(0.079f * v) + 3.1e5f * expf(0.35f * v);
        aj = (-1.2714e5f * expf(0.2444f * v) - 3.474e-5f * expf(-0.04391f * v)) * (v + 37.78f) /
             (1 + expf(0.311f * (v + 79.23f)));
        bj = 0.1212f * expf(-0.01052f * v) / (1 + expf(-0.1378f * (v + 40.14f)));
    }
    dy[GATE_M] = am * (1 - y[GATE_M]) - bm * y[GATE_M];
    dy[GATE_H] = ah * (1 - y[GATE_H]) - bh * y[GATE_H];
    dy[GATE_J] = aj * (1 - y[GATE_J]) - bj * y[GATE_J];
    float g = 16 * cube(y[GATE_M]) * y[GATE_H] * y[GATE_J] + 2.97e-4f;
    float sigma = (expf(NA_O / 67.3f) - 1) / 7;
    float pump = 1 / (1 + 0.1245f * expf(-0.1f * v * FARADAY_RT) + 0.0365f * sigma * expf(-v * FARADAY_RT));
    pump *= 1.90719f * K_O / (K_O + 1.5f);
    float sat_j = 11 / y[NA_J], sat_sl = 11 / y[NA_SL];
    float pump_j = PART_J * pump / (1 + sat_j * sat_j * sat_j * sat_j);
    float pump_sl = PART_SL * pump / (1 + sat_sl * sat_sl * sat_sl * sat_sl);
    i->na_j = PART_J * g * (v - e_j) + 3 * pump_j;
    i->na_sl = PART_SL * g * (v - e_sl) + 3 * pump_sl;
    i->k = -2 * (pump_j + pump_sl);
}

/* Delayed rectifiers, plateau, transient outward and inward rectifier. */
__host__ __device__ static void potassium(const float *y, float *dy, struct currents *i)
{
    float v = y[VM], e_k = logf(K_O / y[K_I]) / FARADAY_RT;
    float to_kr = 1.38e-3f * (v + 7) / (1 - expf(-0.123f * (v + 7))) +
                  6.1e-4f * (v + 10) / (expf(0.145f * (v + 10)) - 1);
    dy[X_KR] = (logistic((v + 50) / 7.5f) - y[X_KR]) * to_kr;
    float kr = 0.03f * y[X_KR] * (v - e_k) / (1 + expf((v + 33) / 22.4f));

    float low_j = 3 - log10f(y[CA_J]), low_sl = 3 - log10f(y[CA_SL]);
    float g_j = 0.07f * (0.057f + 0.19f / (1 + expf((low_j - 7.2f) / 0.6f)));
    float g_sl = 0.07f * (0.057f + 0.19f / (1 + expf((low_sl - 7.2f) / 0.6f)));
    float e_ks = logf((K_O + 0.01833f * NA_O) / (y[K_I] + 0.01833f * y[NA_I])) / FARADAY_RT;
    float to_ks = 7.19e-5f * (v + 30) / (1 - expf(-0.148f * (v + 30))) +
                  1.31e-4f * (v + 30) / (expf(0.0687f * (v + 30)) - 1);
    dy[X_KS] = (logistic((v - 1.5f) / 16.7f) - y[X_KS]) * to_ks;
    float ks = (PART_J * g_j + PART_SL * g_sl) * y[X_KS] * y[X_KS] * (v - e_ks);
    float kp = 0.001f * (v - e_k) / (1 + expf(7.488f - v / 5.98f));

    float x_inf = logistic((v + 3) / 15), y_inf = 1 / (1 + expf((v + 33.5f) / 10));
    float slow = 1 / (1 + expf((v + 60) / 10));
    dy[X_TO_S] = (x_inf - y[X_TO_S]) / (9 / (1 + expf((v + 3) / 15)) + 0.5f);
    dy[Y_TO_S] = (y_inf - y[Y_TO_S]) / (3000 * slow + 30);
    dy[R_TO_S] = (y_inf - y[R_TO_S]) / (2800 * slow + 220);
    dy[X_TO_F] = (x_inf - y[X_TO_F]) / (3.5f * expf(-v * v / 900) + 1.5f);
    dy[Y_TO_F] = (y_inf - y[Y_TO_F]) / (20 * y_inf + 20);
    float to = 0.06f * y[X_TO_S] * (y[Y_TO_S] + 0.5f * y[R_TO_S]) + 0.02f * y[X_TO_F] * y[Y_TO_F];

    float a_k1 = 1.02f / (1 + expf(0.2385f * (v - e_k - 59.215f)));
    float b_k1 = (0.49124f * expf(0.08032f * (v + 5.476f - e_k)) + expf(0.06175f * (v - e_k - 594.31f))) /
                 (1 + expf(-0.5143f * (v - e_k + 4.753f)));
    float k1 = 0.9f * a_k1 / (a_k1 + b_k1) * (v - e_k);
    i->k += kr + ks + kp + to * (v - e_k) + k1;
}

/* Goldman-Hodgkin-Katz flow of an ion of this charge through the open calcium channel. */
__host__ __device__ static float channel(float permeability, float activity, float charge, float v, float in,
                                         float out)
{
    float x = charge * v * FARADAY_RT, e = expf(x);
    return permeability * charge * x * FARADAY * activity * (in * e - out) / (e - 1);
}

__host__ __device__ static float exchanger(float v, float na, float ca)
{
    float affinity = 1 / (1 + cube(0.256e-3f / ca)), na3 = cube(na), out3 = cube(NA_O);
    float forward = expf(0.35f * v * FARADAY_RT), back = expf(-0.65f * v * FARADAY_RT);
    float s = 3.59e-3f * out3 * (1 + cube(na / 12.29f)) + cube(87.5f) * ca * (1 + ca / 3.59e-3f) +
              1.3f * na3 + na3 * CA_O + out3 * ca;
    return 9 * affinity * (forward * na3 * CA_O - back * out3 * ca) / (s * (1 + 0.27f * back));
}

/* L-type channel, exchanger, pump and leak of the membrane; the channel lets sodium and potassium through
 * too. */
__host__ __device__ static void calcium(const float *y, float *dy, struct currents *i)
{
    float v = y[VM], d_inf = logistic((v + 14.5f) / 6);
    float tau_d = d_inf * (1 - expf(-(v + 14.5f) / 6)) / (0.035f * (v + 14.5f));
    float bend = 0.0337f * (v + 14.5f),
          f_inf = 1 / (1 + expf((v + 35.06f) / 3.6f)) + 0.6f / (1 + expf((50 - v) / 20));
    dy[GATE_D] = (d_inf - y[GATE_D]) / tau_d;
    dy[GATE_F] = (f_inf - y[GATE_F]) * (0.0197f * expf(-bend * bend) + 0.02f);
    dy[F_CA_J] = 1.7f * y[CA_J] * (1 - y[F_CA_J]) - 11.9e-3f * y[F_CA_J];
    dy[F_CA_SL] = 1.7f * y[CA_SL] * (1 - y[F_CA_SL]) - 11.9e-3f * y[F_CA_SL];
    float open = 0.45f * y[GATE_D] * y[GATE_F];
    float open_j = 0.9f * open * (1 - y[F_CA_J]), open_sl = 0.1f * open * (1 - y[F_CA_SL]);
    i->na_j += open_j * channel(1.5e-8f, 0.75f, 1, v, y[NA_J], NA_O);
    i->na_sl += open_sl * channel(1.5e-8f, 0.75f, 1, v, y[NA_SL], NA_O);
    i->k += (open_j + open_sl) * channel(2.7e-7f, 0.75f, 1, v, y[K_I], K_O);

    float ncx_j = PART_J * exchanger(v, y[NA_J], y[CA_J]),
          ncx_sl = PART_SL * exchanger(v, y[NA_SL], y[CA_SL]);
    i->na_j += 3 * ncx_j;
    i->na_sl += 3 * ncx_sl;
    float pow_j = powf(y[CA_J], 1.6f), pow_sl = powf(y[CA_SL], 1.6f), half = powf(0.5e-3f, 1.6f);
    float e_j = logf(CA_O / y[CA_J]) / (2 * FARADAY_RT), e_sl = logf(CA_O / y[CA_SL]) / (2 * FARADAY_RT);
    float out_j = 0.0673f * pow_j / (half + pow_j) + 2.513e-4f * (v - e_j);
    float out_sl = 0.0673f * pow_sl / (half + pow_sl) + 2.513e-4f * (v - e_sl);
    i->ca_j = open_j * channel(5.4e-4f, 0.341f, 2, v, y[CA_J], CA_O) + PART_J * out_j - 2 * ncx_j;
    i->ca_sl = open_sl * channel(5.4e-4f, 0.341f, 2, v, y[CA_SL], CA_O) + PART_SL * out_sl - 2 * ncx_sl;

    float e_cl = logf(15.0f / 150.0f) / FARADAY_RT;
    float g_cl = 0.109625f * (PART_J / (1 + 0.1f / y[CA_J]) + PART_SL / (1 + 0.1f / y[CA_SL])) + 9e-3f;
    i->cl = g_cl * (v - e_cl);
}

/* Binding to a buffer of which `total` exists: what is bound a millisecond. */
__host__ __device__ static inline float bind(float on, float off, float free, float total, float bound)
{
    return on * free * (total - bound) - off * bound;
}

/* What the reticulum releases into the cleft, takes up and leaks, in mM of its own volume a millisecond
 * for the first and last. */
struct reticulum {
    float release, uptake, leak;
};

__host__ __device__ static struct reticulum release_and_uptake(const float *y, float *dy)
{
    struct reticulum r;
    float sensor = 15 - 14 / (1 + powf(0.45f / y[CA_SR], 2.5f)), ca = y[CA_J];
    float to_open = 10 / sensor * ca * ca, to_rest = 0.5f * sensor * ca;
    float ri = 1 - y[RYR_R] - y[RYR_O] - y[RYR_I];
    float open_r = to_open * y[RYR_R] - 0.06f * y[RYR_O], open_i = to_open * ri - 0.06f * y[RYR_I];
    float rest_r = to_rest * y[RYR_R] - 0.005f * ri, rest_o = to_rest * y[RYR_O] - 0.005f * y[RYR_I];
    dy[RYR_R] = -rest_r - open_r;
    dy[RYR_O] = open_r - rest_o;
    dy[RYR_I] = rest_o + open_i;
    r.release = 25 * y[RYR_O] * (y[CA_SR] - ca);
    float up = powf(y[CA_I] / 0.246e-3f, 1.787f), down = powf(y[CA_SR] / 1.7f, 1.787f);
    r.uptake = 2.86e-4f * (up - down) / (1 + up + down);
    r.leak = 5.348e-6f * (y[CA_SR] - ca);
    return r;
}

/* Buffers, diffusion and concentrations, after currents and reticulum are known. */
__host__ __device__ static void concentrations(const float *y, float *dy, const struct currents *i,
                                               const struct cell *c)
{
    struct reticulum r = release_and_uptake(y, dy);
    dy[NAB_J] = bind(1e-4f, 1e-3f, y[NA_J], 7.561f, y[NAB_J]);
    dy[NAB_SL] = bind(1e-4f, 1e-3f, y[NA_SL], 1.65f, y[NAB_SL]);
    dy[TNC_LOW] = bind(32.7f, 0.0196f, y[CA_I], 0.07f, y[TNC_LOW]);
    dy[TNC_CA] = bind(2.37f, 3.2e-5f, y[CA_I], 0.14f - y[TNC_MG], y[TNC_CA]);
    dy[TNC_MG] = bind(3e-3f, 3.33e-3f, MG_I, 0.14f - y[TNC_CA], y[TNC_MG]);
    dy[CAM_BUF] = bind(34, 0.238f, y[CA_I], 0.024f, y[CAM_BUF]);
    dy[MYO_CA] = bind(13.8f, 4.6e-4f, y[CA_I], 0.14f - y[MYO_MG], y[MYO_CA]);
    dy[MYO_MG] = bind(0.0157f, 5.7e-5f, MG_I, 0.14f - y[MYO_CA], y[MYO_MG]);
    dy[SRB] = bind(100, 0.06f, y[CA_I], 0.0171f, y[SRB]);
    float cytosol = dy[TNC_LOW] + dy[TNC_CA] + dy[CAM_BUF] + dy[MYO_CA] + dy[SRB];
    dy[SLL_J] = bind(100, 1.3f, y[CA_J], 4.6e-4f * (V_MYO / V_J), y[SLL_J]);
    dy[SLL_SL] = bind(100, 1.3f, y[CA_SL], 0.0374f * (V_MYO / V_SL), y[SLL_SL]);
    dy[SLH_J] = bind(100, 0.03f, y[CA_J], 1.65e-4f * (V_MYO / V_J), y[SLH_J]);
    dy[SLH_SL] = bind(100, 0.03f, y[CA_SL], 0.0134f * (V_MYO / V_SL), y[SLH_SL]);
    dy[CSQN] = bind(100, 65, y[CA_SR], 0.14f * (V_MYO / V_SR), y[CSQN]);
    dy[CA_SR] = r.uptake * (V_MYO / V_SR) - r.leak * (V_MYO / V_SR) - r.release - dy[CSQN];

    const float ca_j_sl = 8.2413e-13f, ca_sl_i = 3.7243e-12f, na_j_sl = 1.8313e-14f, na_sl_i = 1.6386e-12f;
    const float to_j = CAPACITY / (V_J * FARADAY), to_sl = CAPACITY / (V_SL * FARADAY),
                to_i = CAPACITY / (V_MYO * FARADAY);
    float na_1 = na_j_sl * (y[NA_SL] - y[NA_J]), na_2 = na_sl_i * (y[NA_I] - y[NA_SL]);
    dy[NA_J] = -i->na_j * to_j + na_1 / V_J - dy[NAB_J];
    dy[NA_SL] = -i->na_sl * to_sl - na_1 / V_SL + na_2 / V_SL - dy[NAB_SL];
    dy[NA_I] = -na_2 / V_MYO;
    dy[K_I] = -i->k * to_i;
    float ca_1 = ca_j_sl * (y[CA_SL] - y[CA_J]), ca_2 = ca_sl_i * (y[CA_I] - y[CA_SL]);
    dy[CA_J] = -i->ca_j * to_j / 2 + ca_1 / V_J - dy[SLL_J] - dy[SLH_J] + r.release * (V_SR / V_J) +
               r.leak * (V_MYO / V_J);
    dy[CA_SL] = -i->ca_sl * to_sl / 2 - ca_1 / V_SL + ca_2 / V_SL - dy[SLL_SL] - dy[SLH_SL];
    dy[CA_I] = -r.uptake - cytosol - ca_2 / V_MYO;
    dy[VM] = c->current - (i->na_j + i->na_sl + i->ca_j + i->ca_sl + i->k + i->cl);
}

/* Calmodulin in one compartment with `ca` uM of calcium; returns what it takes of it. Rates are a
 * second's, hence 0.001. */
__host__ __device__ static float calmodulin(const float *y, float *dy, float ca, float k,
                                            const struct cell *c)
{
    float mg = c->magnesium;
    float kd02 = 0.0025f * (1 + k / 0.94f + mg / 0.012f) * (1 + k / 8.1f + mg / 0.022f);
    float kd24 = 0.128f * (1 + k / 0.64f + mg / 0.0014f) * (1 + k / 13 + mg / 0.153f);
    float k02 = 10 / kd02, k24 = 500 / kd24, ca2 = ca * ca;
    float b = c->buffer_total - y[CAM_B] - y[CA2_B] - y[CA4_B];
    float r02 = k02 * ca2 * y[CAM] - 10 * y[CA2], r24 = k24 * ca2 * y[CA2] - 500 * y[CA4];
    float r02b = k02 * ca2 * y[CAM_B] - 0.1f * y[CA2_B], r24b = k24 * ca2 * y[CA2_B] - 500 * y[CA4_B];
    float r0 = 7e-3f * y[CAM] * b - 1.4e-3f * y[CAM_B], r2 = 7e-3f * y[CA2] * b - 1.4e-5f * y[CA2_B];
    float r4 = 7e-3f * y[CA4] * b - 1.4e-5f * y[CA4_B];

    float idle = 1 - y[P_B2] - y[P_B] - y[P_T] - y[P_T2] - y[P_A], total = c->kinase_total;
    float bound = y[P_B] + y[P_T] + y[P_T2] + y[P_A];
    float turn = 1.72f / (11.5f + total * bound) * y[P_B] * (y[P_B] + 2 * y[P_T] + y[P_T2]) / (bound + 1e-6f);
    float dephos = 1.72f * 0.01f, b24 = k24 * ca2 * y[P_B2] - 250 * y[P_B];
    float s2 = 65.67f * y[CA2] * idle - 2.2f * y[P_B2], s4 = 65.67f * y[CA4] * idle - 2.2f * y[P_B];
    float auto_p = turn - dephos * y[P_T], t24 = 33.5f * y[P_T] - k24 * ca2 * y[P_T2] * 0.1f;
    float release2 = 0.0032f * y[P_T2] - 0.1f * y[CA2] * y[P_A], gone = dephos * y[P_A];

    float none = c->calcineurin_total - y[N_CA4] - y[N_CAM] - y[N_CA2] - y[N_CA4CAM];
    float n = 2 * ca2 * none - y[N_CA4] * 1.0f;
    float n02 = k02 * ca2 * y[N_CAM] - 0.1f * y[N_CA2], n24 = k24 * ca2 * y[N_CA2] - 5 * y[N_CA4CAM];
    float n0 = 46 * y[CAM] * y[N_CA4] - 13 * y[N_CAM], n2 = 46 * y[CA2] * y[N_CA4] - 0.13f * y[N_CA2];
    float n4 = 46 * y[CA4] * y[N_CA4] - 1.3e-3f * y[N_CA4CAM];

    dy[CAM] = 1e-3f * (-r02 - r0 - n0);
    dy[CA2] = 1e-3f * (r02 - r24 - r2 - n2 + total * (release2 - s2));
    dy[CA4] = 1e-3f * (r24 - r4 - n4 - total * s4);
    dy[CAM_B] = 1e-3f * (r0 - r02b);
    dy[CA2_B] = 1e-3f * (r02b + r2 - r24b);
    dy[CA4_B] = 1e-3f * (r24b + r4);
    dy[P_B2] = 1e-3f * (s2 - b24);
    dy[P_B] = 1e-3f * (b24 + s4 - auto_p);
    dy[P_T] = 1e-3f * (auto_p - t24);
    dy[P_T2] = 1e-3f * (t24 - release2);
    dy[P_A] = 1e-3f * (release2 - gone);
    dy[N_CA4] = 1e-3f * (n - n0 - n2 - n4);
    dy[N_CAM] = 1e-3f * (n0 - n02);
    dy[N_CA2] = 1e-3f * (n02 + n2 - n24);
    dy[N_CA4CAM] = 1e-3f * (n24 + n4);
    return 2e-3f * (r02 + r24 + r02b + r24b + total * b24 + n02 + n24 + 2 * n);
}

__host__ __device__ static void derivatives(const float *y, float *dy, const struct cell *c)
{
    struct currents i;
    sodium(y, dy, logf(NA_O / y[NA_J]) / FARADAY_RT, logf(NA_O / y[NA_SL]) / FARADAY_RT, &i);
    potassium(y, dy, &i);
    calcium(y, dy, &i);
    concentrations(y, dy, &i, c);
    const float *cam = y + ECC_STATES;
    float *dcam = dy + ECC_STATES;
    float taken[3];
    NO_UNROLL
    for (int at = 0; at < 3; at++)
        taken[at] = calmodulin(cam + at * CAM_STATES, dcam + at * CAM_STATES, y[CA_J + at] * 1000, y[K_I], c);
    dy[CA_J] -= 1e-3f * taken[0];
    dy[CA_SL] -= 1e-3f * taken[1];
    dy[CA_I] -= 1e-3f * taken[2];
    /* Free calmodulin wanders between the compartments: 3.6e-16 and 8.6e-15 l a millisecond. */
    NO_UNROLL
    for (int s = CAM; s <= CA4; s++) {
        float j = cam[s], sl = cam[CAM_STATES + s], in = cam[2 * CAM_STATES + s];
        float first = 3.6363e-16f * (j - sl), second = 8.587e-15f * (sl - in);
        dcam[s] -= first / V_J;
        dcam[CAM_STATES + s] += (first - second) / V_SL;
        dcam[2 * CAM_STATES + s] += second / V_MYO;
    }
}

/* One step of h from y to `to`. Returns the largest estimated error relative to what is tolerated.
 * `stages` holds the derivatives of all stages, `at` a state. */
__host__ __device__ static float step(const struct tableau *t, const struct cell *c, const float *y,
                                      float *to, float *stages, float *at, float h)
{
    NO_UNROLL
    for (int s = 0; s < STAGES; s++) {
        NO_UNROLL
        for (int e = 0; e < STATES; e++) {
            float sum = 0;
            NO_UNROLL
            for (int j = 0; j < s; j++)
                sum += t->weights[s][j] * stages[j * STATES + e];
            at[e] = y[e] + h * sum;
        }
        derivatives(at, stages + s * STATES, c);
    }
    float worst = 0;
    NO_UNROLL
    for (int e = 0; e < STATES; e++) {
        const float *k = stages + e;
        float sum = 34.f / 105 * k[5 * STATES] + 9.f / 35 * (k[6 * STATES] + k[7 * STATES]) +
                    9.f / 280 * (k[8 * STATES] + k[9 * STATES]) +
                    41.f / 840 * (k[11 * STATES] + k[12 * STATES]);
        float error = 41.f / 840 * h * (k[0] + k[10 * STATES] - k[11 * STATES] - k[12 * STATES]);
        to[e] = y[e] + h * sum;
        worst = fmaxf(worst, fabsf(error) / (1e-4f * fabsf(y[e]) + 1e-7f));
    }
    return worst;
}

/* Advances every cell by `intervals` times `h` and leaves the derivatives there; where the error of a step
 * is too large it is taken in two halves, and so on. */
__global__ void solve(const struct cell *__restrict__ cells, float *states, float *slopes, float *work,
                      int count, int intervals, float h)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= count)
        return;
    struct cell c = cells[i];
    float *y = states + (size_t)i * STATES, *at = work + (size_t)i * (STAGES + 2) * STATES;
    float *to = at + STATES, *stages = to + STATES;
    float left = intervals * h, now = h;
#pragma unroll 1
    for (int attempt = 0; left > 1e-3f * h && attempt < ATTEMPTS * intervals; attempt++) {
        now = fminf(now, left);
        if (step(&d_tableau, &c, y, to, stages, at, now) > 1) {
            now *= 0.5f;
            continue;
        }
#pragma unroll 1
        for (int e = 0; e < STATES; e++)
            y[e] = to[e];
        left -= now;
        now = fminf(2 * now, h);
    }
    derivatives(y, slopes + (size_t)i * STATES, &c);
}

/* Lower triangle, row by row; the first row of one entry is stage 1. */
static void make_tableau(struct tableau *t)
{
    // clang-format off
    static const double w[] = {
        2. / 27,
        1. / 36, 1. / 12,
        1. / 24, 0, 1. / 8,
        5. / 12, 0, -25. / 16, 25. / 16,
        1. / 20, 0, 0, 1. / 4, 1. / 5,
        -25. / 108, 0, 0, 125. / 108, -65. / 27, 125. / 54,
        31. / 300, 0, 0, 0, 61. / 225, -2. / 9, 13. / 900,
        2, 0, 0, -53. / 6, 704. / 45, -107. / 9, 67. / 90, 3,
        -91. / 108, 0, 0, 23. / 108, -976. / 135, 311. / 54, -19. / 60, 17. / 6, -1. / 12,
        2383. / 4100, 0, 0, -341. / 164, 4496. / 1025, -301. / 82, 2133. / 4100, 45. / 82, 45. / 164,
            18. / 41,
        3. / 205, 0, 0, 0, 0, -6. / 41, -3. / 205, -3. / 41, 3. / 41, 6. / 41, 0,
        -1777. / 4100, 0, 0, -341. / 164, 4496. / 1025, -289. / 82, 2193. / 4100, 51. / 82, 33. / 164,
            12. / 41, 0, 1};
    // clang-format on
    const double *next = w;
    memset(t, 0, sizeof *t);
    for (int s = 1; s < STAGES; s++)
        for (int j = 0; j < s; j++)
            t->weights[s][j] = (float)*next++;
}

/* Near rest, every state off by up to a twentieth, so that the fast equations have something to do. Half
 * of the cells are excited. Both ranges of the potential keep away from the removable singularities of the
 * rates. */
static void make_cell(float *y, struct cell *c, uint32_t *seed)
{
    static const float rest[STATES] = {
        1.4e-3f, 0.987f,  0.99f,    7e-6f,   1,       0.025f,  0.015f,   4e-3f,    0.995f,  0.9946f,
        4e-3f,   0.9955f, 8.7e-3f,  5.4e-3f, 0.888f,  8e-7f,   1e-7f,    3.54f,    0.777f,  8.9e-3f,
        0.1175f, 0.0106f, 2.95e-4f, 1.9e-3f, 0.1375f, 2.2e-3f, 7.4e-3f,  9.7e-3f,  0.0735f, 0.114f,
        1.19f,   0.554f,  8.8f,     8.8f,    8.8f,    135,     1.73e-4f, 1.03e-4f, 8.6e-5f, 0};
    static const float cam[CAM_STATES] = {1.5f,  0.012f, 1e-4f, 3,     0.05f, 1e-3f, 0.05f, 0.04f,
                                          0.01f, 5e-3f,  0.01f, 3e-3f, 1e-3f, 2e-3f, 4e-3f};
    for (int e = 0; e < STATES; e++) {
        float typical = e < ECC_STATES ? rest[e] : cam[(e - ECC_STATES) % CAM_STATES];
        y[e] = typical * (0.95f + 0.1f * next_float(seed));
    }
    bool excited = next_random(seed) % 2;
    y[VM] = excited ? -28 + 10 * next_float(seed) : -86 + 26 * next_float(seed);
    c->current = excited ? 9.5f : 0;
    c->magnesium = 0.5f + next_float(seed);
    c->buffer_total = 20 + 8 * next_float(seed);
    c->kinase_total = 0.3f + next_float(seed);
    c->calcineurin_total = 0.05f + 0.1f * next_float(seed);
}

/* On the host every interval is two steps of half its length. Slow equations hardly move in that time:
 * their part of the code shows in the derivatives. */
static long check_cell(const struct tableau *t, const struct cell *c, const float *before, const float *got,
                       const float *slopes, int intervals, float h)
{
    float y[STATES], to[STATES], at[STATES], stages[STAGES * STATES];
    memcpy(y, before, sizeof y);
    for (int k = 0; k < 2 * intervals; k++) {
        step(t, c, y, to, stages, at, 0.5f * h);
        memcpy(y, to, sizeof y);
    }
    derivatives(got, stages, c);
    long wrong = 0;
    for (int e = 0; e < STATES; e++) {
        /* The solver tolerates 1e-4 of a state and 1e-7 a step; the rest is rounding, of sums in which
         * large flows cancel. */
        wrong += !(fabsf(got[e] - y[e]) <= 1e-3f * fabsf(y[e] - before[e]) + 5e-5f * fabsf(y[e]) + 1e-7f);
        wrong += !(fabsf(slopes[e] - stages[e]) <= 5e-3f * fabsf(stages[e]) + 1e-5f * fabsf(got[e]) + 2e-8f);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    static const int counts[] = {32, 2560, 4096}, intervals[] = {1, 1, 10};
    const float h = 0.005f;
    int size = parse_size(argc, argv), n = counts[size];
    size_t bytes = (size_t)n * STATES * sizeof(float);
    struct cell *cells = (struct cell *)host_alloc(n * sizeof *cells);
    float *before = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes);
    float *slopes = (float *)host_alloc(bytes);
    struct tableau t;
    make_tableau(&t);
    uint32_t seed = 91;
    for (int i = 0; i < n; i++)
        make_cell(before + (size_t)i * STATES, &cells[i], &seed);
    CHECK(cudaMemcpyToSymbol(d_tableau, &t, sizeof t));
    struct cell *d_cells = (struct cell *)device_copy(cells, n * sizeof *cells);
    float *d_states = (float *)device_copy(before, bytes), *d_slopes = (float *)device_alloc(bytes);
    float *d_work = (float *)device_alloc((STAGES + 2) * bytes);
    solve<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_cells, d_states, d_slopes, d_work, n, intervals[size], h);
    fetch(got, d_states, bytes);
    fetch(slopes, d_slopes, bytes);

    long wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += check_cell(&t, &cells[i], before + (size_t)i * STATES, got + (size_t)i * STATES,
                            slopes + (size_t)i * STATES, intervals[size], h);
    CHECK(cudaFree(d_cells));
    CHECK(cudaFree(d_states));
    CHECK(cudaFree(d_slopes));
    CHECK(cudaFree(d_work));
    free(cells), free(before), free(got), free(slopes);
    return verdict("myocyte", wrong);
}
// SPDX-License-Identifier: Apache-2.0
