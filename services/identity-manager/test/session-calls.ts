import { admin, refused, type TestIdentityManager } from './harness'

interface Tokens {
  accessToken: string
  refreshToken: string
  /** The id of their session. */
  sid: string
}

/** The claims of an access token. */
export const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** The key that an access token was signed with. */
export const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid

/** Helpers for tests of sessions. */
export function sessionCalls(service: () => TestIdentityManager) {
  const refresh = (refreshToken: string) => service().post('/auth/refresh', { refreshToken })
  return {
    refresh,
    async logIn(member: { email: string; password: string } = admin): Promise<Tokens> {
      const { data } = (await service().logIn(member.email, member.password)).body
      return { ...data, sid: claimsOf(data.accessToken).sid }
    },
    /** The refusal of a refresh token that is not valid. */
    async refusal(refreshToken: string) {
      const { code, message } = refused(await refresh(refreshToken), 401)
      return { code, message }
    },
    /** The revocations that the gateway pulls, by session. */
    async revocations(): Promise<Map<string, Record<string, string>>> {
      const { body } = await service().get('/internal/revocations/changes', await service().asService('gateway'))
      return new Map(body.items.map(({ record }: { record: { id: string } }) => [record.id, record]))
    },
  }
}

export const notValid = { code: 'UNAUTHORIZED', message: 'The refresh token is not valid: log in' }
