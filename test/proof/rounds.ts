/** How often a proof runs with random input: `usual` times PROOF_ROUNDS (default 1), and at least once. */
export function rounds(usual: number): number {
  return Math.max(1, Math.round(usual * Number(process.env.PROOF_ROUNDS ?? 1)));
}
