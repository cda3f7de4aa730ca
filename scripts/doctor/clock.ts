import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@bursar/contracts/log'
import { config } from '../../services/blockchain/src/config'
import { answerMs } from '../stack/ready'
import { type Examination, type Finding, findingsAbout } from './finding'

const { ok, warning, wrong } = findingsAbout('clock')

/** Tokens between services are valid for a minute. */
const mostMs = 30_000
const suspectMs = 5_000

/** Compares the clock with those of the nodes and of `--time-url`, and with the newest file of the data folder. */
export const examineClock: Examination = async ({ env, dataDir, timeUrl }) => {
  const nodes = networksOf(env).flatMap(({ name, rpcUrls }) =>
    rpcUrls.map((url, place) => ({ who: `node ${place + 1} of ${name}`, url })),
  )
  const sources = timeUrl ? [{ who: withoutSecrets(timeUrl), url: timeUrl }, ...nodes] : nodes
  const compared = await Promise.all(sources.map(compare))
  const found = [...compared.filter((each) => each !== null), ...fromTheFuture(dataDir)]
  if (found.length > 0) return found
  return [warning('it is compared with no other: name a web server by --time-url, such as that of your bank')]
}

/** The networks that have nodes; none while the settings cannot be used. */
function networksOf(env: NodeJS.ProcessEnv) {
  try {
    return config(env).networks
  } catch {
    return []
  }
}

const withoutSecrets = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the server of --time-url')

/** By the `Date` header of any answer. Null for a node that sends none. */
async function compare({ who, url }: { who: string; url: string }): Promise<Finding | null> {
  const asked = Date.now()
  const given = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerMs) }).then(
    ({ headers }) => headers.get('date'),
    (error: unknown) => error,
  )
  if (given instanceof Error) return warning(`${who} does not answer (${messageOf(given)})`)
  const theirs = Date.parse(String(given))
  if (Number.isNaN(theirs)) return null
  const answered = Date.now()
  // The header has whole seconds, and the answer took time.
  const off = Math.max(asked - (theirs + 1000), theirs - answered, 0)
  const says = `it is ${Math.round(off / 1000)} s ${asked > theirs ? 'ahead of' : 'behind'} ${who}`
  if (off > mostMs) return wrong(`${says}: set it right, and keep it so (timedatectl set-ntp true)`)
  if (off > suspectMs) return warning(`${says}: keep it right by NTP (timedatectl set-ntp true)`)
  return ok(`it agrees with ${who}`)
}

/** A clock that was ahead leaves files with times in the future. */
function fromTheFuture(dataDir: string): Finding[] {
  if (!existsSync(dataDir)) return []
  const times = readdirSync(dataDir).map(
    (name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  const ahead = Math.max(0, ...times) - Date.now()
  if (ahead < suspectMs) return []
  return [
    wrong(
      `files of ${dataDir} are ${Math.round(ahead / 1000)} s ahead of it: it was ahead, or is behind now; set it right`,
    ),
  ]
}
