/**
 * `bun run demo`: shows on the running stack what the platform does, from the registration of an institution to the audit
 * of its money. Talks to the gateway, like any client.
 */
import { serviceConfig } from '@bursar/http'
import { callerAt } from './demo/gateway'
import { tellStory } from './demo/story'

const help = `Usage: bun run demo

Shows on the running stack (scripts/start) what the platform does, through its gateway: an administrator approves an
institution, which gets its API key and opens accounts for a customer; a deposit arrives on the simulated Polygon, is
screened and credited; a withdrawal is flagged, reviewed, approved and sent; a message is signed with a portfolio's key;
a transfer between two banks is polled as notifications and received as webhooks; in the end the books are audited and
held against the chain. Each line says what has just happened. It may be run again: every run makes records of its own.

It needs no internet, and these settings of the stack, in the environment or in .env:

  ADMIN_EMAIL, ADMIN_PASSWORD   the administrator's; set them before the first start, or give those that were printed at it
  OUTBOUND_ALLOW=127.0.0.1      webhooks are received on this machine
  SMTP_URL unset                the invitation is read where mails are written then (DATA_DIR/mail)
  FOUR_EYES_USD unset           or above 1000, the most that is decided: the demo has one administrator
`

/** The deposit's worth. */
const mostDecidedUsd = 1000

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const { env } = process
  if (env.FOUR_EYES_USD && Number(env.FOUR_EYES_USD) <= mostDecidedUsd)
    throw new Error(`FOUR_EYES_USD=${env.FOUR_EYES_USD} asks for two persons, and the demo has one; see its --help`)
  const gateway = serviceConfig(env, 'gateway').urls.gateway
  const isThere = await fetch(`${gateway}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) throw new Error(`No gateway answers at ${gateway}. Start the stack first: scripts/start`)
  if (!env.ADMIN_PASSWORD) throw new Error('ADMIN_PASSWORD is not set; see bun run demo --help')
  const admin = { email: env.ADMIN_EMAIL || 'admin@localhost', password: env.ADMIN_PASSWORD }
  const made = await tellStory({ as: callerAt(gateway), admin, env, run: String(Date.now()).slice(-9), say })
  say('\nWhat was made, to look at it:')
  for (const [what, id] of Object.entries(made)) say(`  ${what.padEnd(12)} ${id}`)
  say(`\nThe whole story is in the console, for ${admin.email}: ${gateway}/console/transactions/${made.withdrawal}`)
}

const words = process.argv.slice(2)
const unknown = words.filter((word) => word !== '--help' && word !== '-h')
if (unknown.length > 0) {
  process.stderr.write(`${unknown.join(' ')}: not known; see bun run demo --help\n`)
  process.exitCode = 1
} else if (words.length > 0) process.stdout.write(help)
else
  await main().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
