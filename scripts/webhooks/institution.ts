import { type Bursar, BursarError, createBursar } from '@bursar/client'
import { services } from '@bursar/contracts/services'
import { environment } from '@bursar/http/environment'
import { spoken } from '../stack/installation'

/** The options of commands that act for an institution. */
export const institutionOptions = {
  gateway: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export const institutionHelp = `  --gateway <url>      the gateway (http://127.0.0.1:${services.gateway.port})
  --help               this text

BURSAR_API_KEY is the API key of the institution, in the environment or in .env.`

/** A command that cannot be carried out as it was given. */
export class UsageError extends Error {}

/** A client of the institution whose API key is in the environment. */
export function institution(gateway: string | undefined): Bursar {
  const env = environment()
  if (!env.BURSAR_API_KEY) throw new UsageError('BURSAR_API_KEY is missing: the API key of the institution')
  const port = env.GATEWAY_PORT || services.gateway.port
  return createBursar({ baseUrl: gateway ?? `http://127.0.0.1:${port}`, apiKey: env.BURSAR_API_KEY })
}

/** Runs a command; what goes wrong is told in a sentence. */
export async function carryOut(name: string, command: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await command(process.argv.slice(2))
  } catch (error) {
    const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
    const message = error instanceof Error ? error.message : String(error)
    const id = error instanceof BursarError && error.status > 0 ? ` (request ${error.requestId})` : ''
    process.stderr.write(`${message}${id}${isUsage ? `. See ${spoken(name)} --help` : ''}\n`)
    process.exitCode = 1
  }
}
