import { type Bursar, createBursar } from '@bursar/client'
import { services } from '@bursar/contracts/services'
import { environment } from '@bursar/http/environment'
import { usageError } from '../stack/options'

/** The options of commands that act for an institution. */
export const institutionOptions = { gateway: { type: 'string' } } as const

export const institutionHelp = `  --gateway <url>      the gateway (http://127.0.0.1:${services.gateway.port})
  --help               this text

BURSAR_API_KEY is the API key of the institution, in the environment or in .env.`

/** A client of the institution whose API key is in the environment, for this command. */
export function institution(command: string, gateway: string | undefined): Bursar {
  const env = environment()
  if (!env.BURSAR_API_KEY) throw usageError(command, 'BURSAR_API_KEY is missing: the API key of the institution')
  const port = env.GATEWAY_PORT || services.gateway.port
  return createBursar({ baseUrl: gateway ?? `http://127.0.0.1:${port}`, apiKey: env.BURSAR_API_KEY })
}
