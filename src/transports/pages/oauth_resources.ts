/** The resource indicators (RFC 8707) that tokens are issued for; the first is what a client gets that names none. */
export function oauthResources(baseUrl: string): string[] {
  return [`${baseUrl}/v1`, `${baseUrl}/mcp`];
}
