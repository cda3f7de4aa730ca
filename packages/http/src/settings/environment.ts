import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@bursar/contracts/log'
import { ConfigError, type Environment } from './config-error'

/** The settings that hold secrets, or addresses with credentials in them. */
const secrets = new Set([
  'ADMIN_PASSWORD',
  'BURSAR_API_KEY',
  'CHAINALYSIS_API_KEY',
  'CHAINALYSIS_ORACLE_RPC_URL',
  'DATABASE_URL',
  'IDENTITY_SECRET_KEY',
  'INTERNAL_SECRET',
  'MAIN_SECRET_KEY',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'PARTICIPANT_SECRET_KEY',
  'QUOTE_SECRET_KEY',
  'REDIS_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SCREENING_SECRET',
  'SMTP_URL',
  'WALLET_PASSPHRASE',
  'WALLET_SEED',
  'WEBHOOK_FALLBACK_SECRET',
  'WEBHOOK_SECRET',
  'WEBHOOK_SECRET_KEY',
])

/** Whether a setting may come from a file: the nodes' addresses of any network are secrets too. */
export const isSecretSetting = (name: string): boolean => secrets.has(name) || /^[A-Z0-9_]+_RPC_URLS$/.test(name)

const mostBytes = 64 * 1024

/**
 * The settings of this process. A secret may be in a file, which `ps` and a crash report do not show: `<NAME>_FILE`
 * names it, or systemd provides it as the credential `<NAME>` (LoadCredential=). The variable itself wins over a
 * credential. Throws ConfigError for an unusable file, and for a secret given twice.
 */
export function environment(env: Environment = process.env): Environment {
  const given = Object.keys(env).filter((name) => env[name])
  const named = given.flatMap((name) => {
    const setting = name.replace(/_FILE$/, '')
    if (setting === name || !isSecretSetting(setting)) return []
    if (env[setting]) throw new ConfigError(`${setting} and ${name} are both set: remove one of them`)
    return [[setting, textIn(env[name] ?? '', name)] as const]
  })
  return { ...env, ...credentialsOf(env), ...Object.fromEntries(named) }
}

/** The credentials of a systemd unit, except those that a variable or its file replaces. */
function credentialsOf(env: Environment): Environment {
  const folder = env.CREDENTIALS_DIRECTORY
  if (!folder) return {}
  const names = namesIn(folder).filter((name) => isSecretSetting(name) && !env[name] && !env[`${name}_FILE`])
  return Object.fromEntries(names.map((name) => [name, textIn(join(folder, name), `the credential ${name}`)]))
}

const namesIn = (folder: string): string[] => read('CREDENTIALS_DIRECTORY', () => readdirSync(folder))

/** A file's text without its final line break. */
function textIn(path: string, source: string): string {
  const bytes = read(source, () => readFileSync(path))
  if (bytes.length > mostBytes) throw new ConfigError(`${source}: ${path} has more than ${mostBytes} bytes`)
  const text = bytes.toString('utf8').replace(/\r?\n$/, '')
  if (text === '') throw new ConfigError(`${source}: ${path} is empty`)
  return text
}

function read<T>(source: string, from: () => T): T {
  try {
    return from()
  } catch (error) {
    throw new ConfigError(`${source}: ${messageOf(error)}`)
  }
}
