/** Runs once before the suite. */
export default function setup(): void {}
