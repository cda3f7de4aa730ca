import { join } from 'node:path'
import { registerEndpoint, requireReceiver, transferBetweenBanks } from './bank-payments'
import { depositOnChain, openAccounts, quoteAccount, signWithPortfolio, withdrawOnChain } from './digital-money'
import type { Caller } from './gateway'
import { logInAdministrator, onboard } from './onboarding'
import { receiveWebhooks } from './webhook-receiver'
import type { World } from './world'

/** The ids of what the story has made, to look at it. */
export interface Made {
  participant: string
  customer: string
  account: string
  deposit: string
  withdrawal: string
  transfer: string
}

/**
 * The whole platform in one story, through the gateway: an institution comes in, its customer's money moves on a chain
 * and between banks, and all of it is proved afterwards. Throws a sentence at the first thing that goes wrong.
 */
export async function tellStory(world: World): Promise<Made> {
  const receiver = receiveWebhooks()
  try {
    const admin = await logInAdministrator(world)
    await requireReceiver(admin, receiver)
    const institution = await onboard(world, admin)
    await registerEndpoint(world, institution, receiver)
    const holder = await openAccounts(world, institution)
    const deposit = await depositOnChain(world, institution, admin, holder)
    await quoteAccount(world, institution, holder)
    const withdrawal = await withdrawOnChain(world, institution, admin, holder)
    await signWithPortfolio(world, institution, holder)
    const transfer = await transferBetweenBanks(world, admin, institution, receiver)
    await proveBooks(world, institution.user)
    const { customerId: customer, accountId: account } = holder
    return { participant: institution.id, customer, account, deposit, withdrawal, transfer }
  } finally {
    await receiver.stop()
  }
}

const root = join(import.meta.dir, '../..')

/** The books are audited, the chains reconciled, and the log is looked into. */
async function proveBooks({ env, say }: World, log: Caller): Promise<void> {
  say(`Audit: ${lastLine(await run('audit', env))}`)
  for (const line of (await run('reconcile', env)).trim().split('\n')) say(`Reconciliation: ${line}`)
  const { pagination } = await log.ask<{ pagination: { total: number } }>('GET /tracker/v1/log-messages?limit=1')
  say(`The log tracker has ${pagination.total} messages`)
}

/** Runs one of the project's scripts; what it said. Throws that when it found a difference. */
async function run(script: string, env: World['env']): Promise<string> {
  const command = [process.execPath, `scripts/${script}.ts`]
  const child = Bun.spawn(command, { cwd: root, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) === 0) return out
  throw new Error(`bun run ${script} has found a difference:\n${out}${err}`)
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
