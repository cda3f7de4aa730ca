/**
 * `bun run demo`: shows on the running stack what the platform does, from the registration of an institution to the audit
 * of its money. Talks to the gateway, like any client.
 */
import { messageOf } from '@bursar/contracts/log'
import { serviceConfig } from '@bursar/http'
import { callerAt } from './demo/gateway'
import { startOwnStack } from './demo/own-stack'
import { tellStory } from './demo/story'
import type { World } from './demo/world'
import { runCommand } from './stack/command'
import { runOther } from './stack/installation'

const help = `Usage: bun run demo

Shows what the platform does, through the gateway of a running stack (scripts/start) or of one of its own: an administrator approves an
institution, which gets its API key and opens accounts for a customer; a deposit arrives on the simulated Polygon, is
screened and credited; a withdrawal is flagged, reviewed, approved and sent; a message is signed with a portfolio's key;
a transfer between two banks is polled as notifications and received as webhooks; in the end the books are audited and
compared with the chain. Each line says what has just happened. Every run makes new records.

It needs no internet and no settings: without ADMIN_PASSWORD and GATEWAY_URL it starts a stack of its own, on free ports
and in its own folder, and removes it afterwards. To run it on a running stack, and see the records in the console, give these
settings of that stack, in the environment or in .env. They are checked before anything is made:

  ADMIN_EMAIL, ADMIN_PASSWORD   the administrator's; set them before the first start, or give the password that was
                                chosen at the first log-in
  OUTBOUND_ALLOW=127.0.0.1      webhooks are received on this machine
  SMTP_URL unset                the invitation is read from the mails in MAIL_DIR, or DATA_DIR/mail
  FOUR_EYES_USD unset           or above 1000, the largest amount of the demo, which has one administrator
`

/** The deposit's value. */
const mostDecidedUsd = 1000

/** Whether to use the running stack: the settings then name it or its administrator. Ports name neither. */
const isForRunningStack = (env: NodeJS.ProcessEnv): boolean => Boolean(env.ADMIN_PASSWORD || env.GATEWAY_URL)

/** Runs the demo on the stack with these settings; `lasting` says where its results stay. */
async function tellOn(env: World['env'], lasting?: string): Promise<void> {
  const gateway = serviceConfig(env, 'gateway').urls.gateway
  const isThere = await fetch(`${gateway}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) throw new Error(`No gateway answers at ${gateway}. Start the stack first: scripts/start`)
  if (!env.ADMIN_PASSWORD) throw new Error('ADMIN_PASSWORD is not set; see bun run demo --help')
  if (env.SMTP_URL) throw new Error('SMTP_URL is set, and the demo cannot read the mails that it sends; see its --help')
  const admin = { email: env.ADMIN_EMAIL || 'admin@localhost', password: env.ADMIN_PASSWORD }
  const made = await tellStory({
    as: callerAt(gateway),
    admin,
    env,
    run: String(Date.now()).slice(-9),
    command: (name) =>
      runOther(name, [], { ...process.env, ...env }).catch((error: unknown) => {
        throw new Error(`bun run ${name} has found a difference:\n${messageOf(error)}`)
      }),
    say: console.log,
  })
  if (!lasting) return
  console.log('\nWhat was made, to look at it:')
  for (const [what, id] of Object.entries(made)) console.log(`  ${what.padEnd(12)} ${id}`)
  console.log(`\n${lasting}, for ${admin.email}: ${gateway}/console/transactions/${made.withdrawal}`)
}

await runCommand({ name: 'demo', help }, async () => {
  const { env } = process
  if (env.FOUR_EYES_USD && Number(env.FOUR_EYES_USD) <= mostDecidedUsd)
    throw new Error(`FOUR_EYES_USD=${env.FOUR_EYES_USD} asks for two persons, and the demo has one; see its --help`)
  if (isForRunningStack(env)) return await tellOn(env, 'All records are in the console')
  console.log(
    'No setting names a running stack (bun run demo --help): the demo starts one of its own, which ends with it',
  )
  await using own = await startOwnStack(env)
  await tellOn(own.env)
})
