import type { AnswerOf } from '@bursar/contracts/call'
import { getParticipant } from '@bursar/contracts/participant'
import { AppError, ifCallFails } from '@bursar/http'
import { ownAccountIds } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { findWallets, type WalletRow } from './wallets'
import type { ListedWallet, WalletList } from './wallets.model'

/**
 * The wallets of a participant: of its omnibus and fee-payer accounts, and of its customers' accounts, oldest first.
 * The participant service lists its customers, the blockchain service the simulated networks; if one of them is
 * unavailable, `warning` says what is missing. Fails with 500 when the wallets cannot be read.
 */
export async function listWallets(deps: WalletDeps, participantId: string): Promise<WalletList> {
  try {
    return await readWallets(deps, participantId)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw fail('INTERNAL_ERROR', { cause })
  }
}

async function readWallets({ store, client, networks }: WalletDeps, participantId: string): Promise<WalletList> {
  const [participant, simulated] = await Promise.all([
    answered(client.find(getParticipant, { params: { id: participantId } })),
    simulatedNetworks(networks),
  ])
  const accountIds = new Set([...(await ownAccountIds(store, participantId)), ...customerAccountIds(participant)])
  const rows = await findWallets(store.read, [...accountIds])
  rows.sort((one, other) => (one.id < other.id ? -1 : 1))
  const routerData = participant === 'away' ? undefined : (participant?.routerData ?? undefined)
  const data = rows.map((row) => toListed(row, { participantId, routerData, simulated }))
  const warning = warningOf(participant === 'away', simulated === 'away')
  return warning === null ? { data } : { data, warning }
}

/** Which networks are simulated, by their names. */
type Simulated = ReadonlyMap<string, boolean> | 'away'

export async function simulatedNetworks(networks: WalletDeps['networks']): Promise<Simulated> {
  const chains = await answered(networks.list())
  return chains === 'away' ? 'away' : new Map(chains.map(({ name, kind }) => [name, kind === 'simulated']))
}

/** A wallet in a list. */
export function toListed(
  { id, accountId, address, network }: WalletRow,
  {
    participantId,
    routerData,
    simulated,
  }: { participantId: string | null; routerData?: Record<string, unknown> | undefined; simulated: Simulated },
): ListedWallet {
  const isSimulated = simulated === 'away' ? undefined : simulated.get(network)
  return {
    participantId,
    address,
    blockchain: network,
    walletId: id,
    accountId,
    ...(routerData ? { routerData } : {}),
    ...(isSimulated === undefined ? {} : { simulated: isSimulated }),
  }
}

/** Null is a valid answer: the participant was not found. */
const answered = <T>(call: Promise<T>): Promise<T | 'away'> => ifCallFails(call, () => 'away' as const)

type Participant = AnswerOf<typeof getParticipant>

const customerAccountIds = (participant: Participant | null | 'away'): string[] =>
  participant === null || participant === 'away'
    ? []
    : participant.customers.flatMap(({ accounts }) => accounts.map(({ id }) => id))

export const blockchainAway = 'The blockchain service is unavailable: only internal data is shown'

function warningOf(participantAway: boolean, isBlockchainAway: boolean): string | null {
  const missing = [
    ...(isBlockchainAway ? [blockchainAway] : []),
    ...(participantAway
      ? ['The participant service is unavailable: only wallets of the omnibus and fee payer accounts are shown']
      : []),
  ]
  return missing.length === 0 ? null : missing.join('. ')
}
