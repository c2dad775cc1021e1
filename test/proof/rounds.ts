const share = Number(process.env.PROOF_ROUNDS ?? 1);

/** Whether proofs run whole: over all tiles and all national sets. The gate runs a tenth of the rounds. */
export const isWhole = share >= 1;

/** How often a proof runs with random input: `whole` times PROOF_ROUNDS (default 1), and at least once. */
export function rounds(whole: number): number {
  return Math.max(1, Math.round(whole * share));
}
