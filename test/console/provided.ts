import type { ServiceName } from '@bursar/contracts/services'
import { type LocalServer, localServer } from '@bursar/testing'
import { type OpenIdProvider, openIdProvider, secretOf } from '@bursar/testing/openid-provider'
import { type ConsoleStack, openConsole } from './stack'

export interface Provided {
  stack: ConsoleStack
  provider: OpenIdProvider
  close(): Promise<void>
}

/** A console whose people log in through the deployment's own provider, which is a real one, on another site. */
export async function openProvided(settings: Record<string, string>, names: ServiceName[]): Promise<Provided> {
  let stack: ConsoleStack | undefined
  // The address of the stack is known only once it runs.
  const relay: LocalServer = localServer((request) =>
    Response.redirect(request.url.replace(relay.url, stack?.url ?? '')),
  )
  const redirectTo = `${relay.url}/console/single-sign-on`
  const provider = await openIdProvider({ redirectTo })
  stack = await openConsole(
    {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'bursar',
      OIDC_CLIENT_SECRET: secretOf('bursar'),
      OIDC_NAME: 'Harbour ID',
      OIDC_REDIRECT_URL: redirectTo,
      OIDC_ROLES: 'desk-ops=operator',
      ...settings,
    },
    { host: 'localhost', names },
  )
  return {
    stack,
    provider,
    async close() {
      await stack?.close()
      await provider.close()
      await relay.stop()
    },
  }
}
