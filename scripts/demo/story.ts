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

/** The books are audited, the chains reconciled, and the log is looked into. */
async function proveBooks({ command, say }: World, log: Caller): Promise<void> {
  say(`Audit: ${lastLine(await command('audit'))}`)
  for (const line of (await command('reconcile')).trim().split('\n')) say(`Reconciliation: ${line}`)
  const { pagination } = await log.ask<{ pagination: { total: number } }>('GET /tracker/v1/log-messages?limit=1')
  say(`The log tracker has ${pagination.total} messages`)
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
