/** `bun run identity:rotate-keys`: rotates the key that signs access tokens. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { rotateSigningKeys } from '@bursar/contracts/identity-manager'
import { createClient, createIdentity, openInternalSecret } from '@bursar/http'
import { config } from '../services/identity-manager/src/config'

const help = `Usage: bun run identity:rotate-keys [--drop]

The next key signs access tokens from now on. Earlier tokens stay valid until they expire. The service rotates its keys every
IDENTITY_KEY_DAYS days without this command. The identity manager must run.

  --drop   revokes all earlier keys, if others may have them. Users get new tokens by their refresh tokens. Log in once
           afterwards: with the first new token the gateway drops the old keys
  --help   this text
`

async function main(): Promise<string> {
  const { values } = parseArgs({
    options: { drop: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) return help.trimEnd()
  const { dataDir, internalSecret, urls, name } = config()
  const secret = openInternalSecret(resolve(dataDir), internalSecret)
  const client = createClient({ name, identity: createIdentity(name, secret, () => new Date()), urls })
  const { kid } = await client.call(rotateSigningKeys, { body: { dropRetired: values.drop } })
  return `The key ${kid} signs from now on.`
}

try {
  console.log(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
