// What changes in the programs of docs/clients.md where they prove themselves by another way.

export type Change = readonly [from: string, to: string]

/** What a program proves itself by. */
export const ways = ['key', 'oauth'] as const

/** The key as the secret of a client of OAuth 2.0, in place of the key itself. */
export const byTokens: Record<'js' | 'python', Change[]> = {
  js: [
    ['createBursar, logIn', 'clientCredentials, createBursar, logIn'],
    ['apiKey: issued', 'session: clientCredentials({ baseUrl, clientId: id, clientSecret: issued'],
    ['.data.apiKey })', '.data.apiKey }) })'],
  ],
  python: [
    ['import Bursar,', 'import Bursar, ClientCredentials,'],
    ['api_key=key', 'session=ClientCredentials(base_url, institution, key)'],
  ],
}
