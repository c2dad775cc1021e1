/**
 * The resource indicators (RFC 8707) that tokens are issued for. The first is the default of a client that names none.
 */
export function oauthResources(baseUrl: string): string[] {
  return [`${baseUrl}/v1`, `${baseUrl}/mcp`];
}
