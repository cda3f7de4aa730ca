/** `bun run rotate`: replaces secrets while the services run. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readCall } from '@bursar/contracts/call'
import { rotateSigningKeys } from '@bursar/contracts/identity-manager'
import { t } from '@bursar/contracts/schema'
import {
  type Client,
  createClient,
  createIdentity,
  databaseSetting,
  internalSecretFile,
  type KeyRing,
  openInternalSecret,
  openSealingKey,
  serviceConfig,
} from '@bursar/http'
import { environment } from '@bursar/http/environment'
import { dropEndedKeys, rotateKeyFile } from '@bursar/http/key-file'
import { passphrasesOf } from '../services/wallet/src/keys/passphrase'
import { hasSeedFile, resealGiven, seedFileName, seedSetting } from '../services/wallet/src/keys/seed-file'
import { keysOf, oneLine, settingLine, writeNew } from './keys/settings-file'
import { awaitUse, stagesOf } from './rotate/await-use'
import { stepsOf } from './rotate/given'
import { isPrepared, passphraseIn, rotatePassphrase } from './rotate/passphrase'
import { recorded } from './rotate/recorded'
import { type KeyFile, keyFiles } from './rotate/targets'
import { dataDirOption, runCommand } from './stack/command'
import { dataDirOf } from './stack/place'
import { callMs } from './stack/ready'

const help = `Usage: bun run rotate <which> [--keep <time>] [--drop] [--to <file>] [--into <file>] [--data-dir <folder>]
       bun run rotate --status

Replaces a secret while the services run: none is stopped, and no request is refused. Readers accept the new and the old one,
writers use the new one. The gateway must run: its audit trail has an entry before anything is changed, and one of the outcome.

${Object.entries(keyFiles)
  .map(([name, { file, what }]) => `  ${name.padEnd(15)} ${file}: ${what}`)
  .join('\n')}
  tokens          the key that signs access tokens; tokens of the one before live on. The identity manager does so every
                  IDENTITY_KEY_DAYS days by itself
  wallet          the passphrase of the wallets' seed. Where WALLET_PASSPHRASE is set, --to names a file with the new one: set it
                  afterwards; until a start with it, the seed opens by both
  endpoint <id>   the secret that signs the deliveries to a webhook endpoint: it is printed once. Deliveries are signed by both
                  for 24 hours

  --keep <time>   how long the old key of a file is accepted besides (24h; 10m or more; s, m, h or d). What is stored is sealed
                  again at once, and what waits in Redis is accepted until then: after a leak choose 10m, and retry
                  dead letters of that time by bun run events
  --to <file>     with wallet, where WALLET_PASSPHRASE is set: the file with the new passphrase
  --into <file>   where the secret is a setting (INTERNAL_SECRET, …_SECRET_KEY, WALLET_SEED), as it is with DATABASE_URL: a new file
                  that gets what the setting must hold, step by step. Whoever sets it restarts the services with it
  --drop          with tokens: revokes all earlier keys, if others may have them. Users get new tokens by their refresh tokens. Log in
                  once afterwards: with the first new token the gateway drops the old keys
  --status        the keys of each file, by the first 32 bits of their SHA-256, and what is not done yet
  --data-dir <folder>   where the keys are (DATA_DIR, or data)
  --help          this text

If it is interrupted, the services go on by themselves; run it again, or look at --status. Secrets that others give you are
changed by hand: docs/operations.md, Rotate secrets.
`

class UsageError extends Error {
  exitCode = 2
}

const units = new Map(Object.entries({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }))
const shortestMs = 10 * 60_000
const longestMs = 90 * 86_400_000

function keepMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (units.get(unit) ?? Number.NaN)
  if (ms >= shortestMs && ms <= longestMs) return ms
  throw new UsageError(`--keep takes a time from 10m to 90d, such as 24h, not "${text}"`)
}

interface Asked {
  client: Client
  env: ReturnType<typeof environment>
  dataDir: string
}

/** The keys of a file, which a service has made at its first start. */
function ringIn(dataDir: string, { file }: Pick<KeyFile, 'file'>): KeyRing {
  if (!existsSync(join(dataDir, file)))
    throw new UsageError(`There is no ${file} in ${dataDir}: name the data folder of the services by --data-dir`)
  return file === internalSecretFile ? openInternalSecret(dataDir, undefined) : openSealingKey(dataDir, file)
}

/** The keys of a setting go by its value alone: whoever sets it is told what it must hold, one step after another. */
async function rotateSetting(asked: Asked, name: string, target: KeyFile, into: string | undefined): Promise<void> {
  const { env } = asked
  const { setting } = target
  if (into === undefined) throw new UsageError(`${setting} is set: name a new file for its next values by --into`)
  const [current, next] = stepsOf(setting, env[setting] ?? '')
  const act = { service: 'platform', action: `ROTATE ${name}`, object: setting, request: {} }
  await recorded(asked.client, act, async () => writeNew(into, next))
  console.log(`${into} has what ${setting} must hold on all machines, in three steps. ${current} is in use until then.`)
}

async function rotateFile(asked: Asked, name: string, target: KeyFile, keep: string): Promise<void> {
  const { client, dataDir } = asked
  requireAlone(asked)
  const [current, ...others] = ringIn(dataDir, target).keys()
  // Its key is prepared, and not used yet: services that know of two keys look for what to seal again all the same.
  const wasInterrupted = others.some(({ until }) => until === null)
  const isUnderWay = (await stagesOf(client, target, current?.id ?? '')).some(({ stage }) => stage === 'resealing')
  if (isUnderWay && !wasInterrupted) {
    console.log(`An earlier rotation to ${current?.id} is not done yet: it goes on`)
  } else {
    const until = new Date(Date.now() + keepMs(keep))
    const act = { service: 'platform', action: `ROTATE ${name}`, object: target.file, request: { keep } }
    await recorded(asked.client, act, async () => {
      rotateKeyFile(dataDir, target.file, until)
      // The others are removed by their service, once nothing is sealed by them.
      if (target.file === internalSecretFile) dropEndedKeys(dataDir, target.file, new Date())
    })
    console.log(
      `${target.file} has a new key; the one before, ${current?.id}, is accepted until ${until.toISOString()}`,
    )
  }
  const newestKey = () => ringIn(dataDir, target).keys()[0]?.id ?? ''
  const { newest, away } = await awaitUse(client, target, newestKey, console.log)
  console.log(
    away.length > 0 ? `Those that do not answer use ${newest} from their start.` : `${newest} is in use everywhere.`,
  )
}

const rotateSecret = (id: string) =>
  readCall(
    'webhook',
    'POST',
    `/v1/webhooks/endpoints/${encodeURIComponent(id)}/rotate-secret`,
    t.Object({ secret: t.String(), url: t.String() }),
  )

async function rotateEndpoint(asked: Asked, id: string | undefined): Promise<void> {
  if (!id) throw new UsageError('Name the endpoint: bun run rotate endpoint <id>')
  const act = { service: 'webhook', action: 'ROTATE endpoint', object: id, request: {} }
  const { url, secret } = await recorded(asked.client, act, () => asked.client.call(rotateSecret(id)))
  console.log(`Deliveries to ${url} are signed by this secret, and for 24 hours by the one before: ${secret}`)
}

async function rotateTokens(asked: Asked, drop: boolean): Promise<void> {
  const act = { service: 'identity-manager', action: 'ROTATE tokens', object: null, request: { drop: String(drop) } }
  const { kid } = await recorded(asked.client, act, () =>
    asked.client.call(rotateSigningKeys, { body: { dropRetired: drop } }),
  )
  console.log(`The key ${kid} signs from now on.`)
}

/** A file of this machine is not that of the others. */
function requireAlone({ env }: Asked): void {
  if (databaseSetting(env) !== null)
    throw new UsageError(
      'With DATABASE_URL other machines have the same key: make it a setting (bun run keys), and name a file by --into',
    )
}

interface WalletAsked {
  to?: string | undefined
  into?: string | undefined
  keep: string
}

/** Where the seed is a setting, so is its passphrase: both change with the same start. */
async function rotateGivenSeed(asked: Asked, seed: string, { to, into }: WalletAsked): Promise<void> {
  const { env, dataDir } = asked
  if (!to || !into)
    throw new UsageError(`${seedSetting} is set: name a file with the new passphrase by --to, and a new one by --into`)
  const given = env.WALLET_PASSPHRASE || undefined
  const next = passphraseIn(to, given)
  const act = { service: 'wallet', action: 'ROTATE wallet', object: seedSetting, request: {} }
  await recorded(asked.client, act, async () => {
    const text = await resealGiven(seed, passphrasesOf(dataDir, given), { next, now: new Date() })
    writeNew(into, [settingLine(seedSetting, oneLine(text)), settingLine('WALLET_PASSPHRASE', next)].join(''))
  })
  console.log(
    `${into} has ${seedSetting} and WALLET_PASSPHRASE. Set both on all machines with a wallet service, and restart these.`,
  )
}

async function rotateWallet(asked: Asked, { to, into, keep }: WalletAsked): Promise<void> {
  const { env, dataDir } = asked
  if (env[seedSetting]) return await rotateGivenSeed(asked, env[seedSetting], { to, into, keep })
  requireAlone(asked)
  const given = env.WALLET_PASSPHRASE || undefined
  if (!hasSeedFile(dataDir)) throw new UsageError(`There is no ${seedFileName} in ${dataDir}`)
  if (given && !to) throw new UsageError('WALLET_PASSPHRASE is set: name a file with the new passphrase by --to')
  if (!given && to) throw new UsageError('--to is for a passphrase that is set: without WALLET_PASSPHRASE one is made')
  const next = to === undefined ? undefined : passphraseIn(to, given)
  const now = new Date()
  const until = new Date(now.getTime() + keepMs(keep))
  const act = { service: 'wallet', action: 'ROTATE wallet', object: seedFileName, request: { keep } }
  console.log(await recorded(asked.client, act, () => rotatePassphrase({ dataDir, given, next, until, now })))
}

async function showStatus({ client, env, dataDir }: Asked): Promise<void> {
  for (const target of Object.values(keyFiles)) {
    const value = env[target.setting]
    const name = value ? target.setting : target.file
    if (!value && !existsSync(join(dataDir, target.file))) {
      console.log(`${name}: not made yet`)
      continue
    }
    const keys = value ? keysOf(target.setting, value) : ringIn(dataDir, target).keys()
    const stages = await stagesOf(client, target, keys[0]?.id ?? '')
    const left = stages.filter(({ stage }) => stage !== 'done')
    const ends = keys.slice(1).map(({ id, until }) => `${id} ${until ? `until ${until.toISOString()}` : 'prepared'}`)
    const rest = left.length > 0 ? `; ${left.map(({ name, stage }) => `${name}: ${stage}`).join(', ')}` : ''
    console.log(`${name}: ${[keys[0]?.id, ...ends].join(', ')}${rest}`)
  }
  if (isPrepared(dataDir)) console.log(`${seedFileName}: a new passphrase is prepared, and in use from a start with it`)
}

const options = {
  keep: { type: 'string', default: '24h' },
  drop: { type: 'boolean', default: false },
  to: { type: 'string' },
  into: { type: 'string' },
  status: { type: 'boolean', default: false },
  ...dataDirOption,
} as const

await runCommand({ name: 'rotate', help, options, takesWords: true }, async (values, [which = '', id, ...more]) => {
  const env = environment()
  const { urls, internalSecret } = serviceConfig(env, 'gateway')
  const dataDir = dataDirOf(values['data-dir'])
  const secret = internalSecret
    ? openInternalSecret(dataDir, internalSecret)
    : ringIn(dataDir, { file: internalSecretFile })
  const identity = createIdentity('gateway', secret, () => new Date())
  const asked: Asked = { client: createClient({ name: 'gateway', identity, urls, timeoutMs: callMs }), env, dataDir }
  if (values.status) return await showStatus(asked)
  if (more.length > 0 || (id !== undefined && which !== 'endpoint')) throw new UsageError('Name one secret: --help')
  if (values.drop && which !== 'tokens') throw new UsageError('--drop is for tokens alone')
  if (values.to !== undefined && which !== 'wallet') throw new UsageError('--to is for wallet alone')
  if (which === 'wallet') return await rotateWallet(asked, values)
  if (which === 'tokens') return await rotateTokens(asked, values.drop)
  if (which === 'endpoint') return await rotateEndpoint(asked, id)
  const target = Object.hasOwn(keyFiles, which) ? keyFiles[which] : undefined
  if (!target) {
    const names = [...Object.keys(keyFiles), 'wallet', 'tokens', 'endpoint <id>'].join(', ')
    throw new UsageError(which ? `There is no secret ${which}; there are ${names}` : `Name a secret: ${names}`)
  }
  keepMs(values.keep)
  if (env[target.setting]) await rotateSetting(asked, which, target, values.into)
  else await rotateFile(asked, which, target, values.keep)
})
