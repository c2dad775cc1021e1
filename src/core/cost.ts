/** What a call costs, as get_pricing lists it. 0 units: free. */
export interface Cost {
  readonly units: number;
  readonly per: 'call' | 'boundary';
  /** How the price depends on the input, if it does. */
  readonly note?: string;
}
