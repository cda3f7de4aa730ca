import { getTransactionParties } from '@bursar/contracts/blockchain'
import type { AddressResult, ScreeningSource, TransactionResult } from '@bursar/contracts/sanctions'
import { type Client, isRefused, mapConcurrent } from '@bursar/http'
import { nextTurn } from '@bursar/store'
import { fail } from '../errors'
import type { ScreenedAddress } from '../watch/watch'
import { type ScreeningDeps, screenAddress } from './screen-address'
import type { TransactionToVerify } from './screening.model'

/** Parties screened concurrently, since each of them queries the other sources. */
const atATime = 8
/** A transaction with more parties is refused rather than screened in part. */
const mostParties = 5000

/**
 * Screens a transaction by its parties, as the blockchain service reports them. Rejects (404) when the chain does not
 * know the transaction, and (503) when the service or a source cannot be reached, or no party is found.
 */
export async function screenTransaction(
  deps: ScreeningDeps & { client: Client },
  { transactionId: written, blockchain }: TransactionToVerify,
): Promise<{ result: TransactionResult; screened: ScreenedAddress[] }> {
  const transactionId = written.trim()
  const parties = await findParties(deps.client, blockchain, transactionId)
  const screenings = await mapConcurrent(parties, atATime, async (address) => {
    // Of thousands of parties: other requests are answered in between.
    await nextTurn()
    return await screenAddress(deps, { address, blockchain })
  })
  return {
    result: {
      transactionId,
      blockchain,
      sanctioned: screenings.some(({ result }) => result.sanctioned),
      sources: bySource(screenings.map(({ result }) => result)),
      checkedAt: deps.now().toISOString(),
    },
    screened: screenings.flatMap(({ screened }) => screened),
  }
}

async function findParties(client: Client, network: string, txHash: string): Promise<string[]> {
  const { from, to } = await client.call(getTransactionParties, { params: { network, txHash } }).catch(asOurs)
  const parties = [...new Set([...from, ...to])]
  if (parties.length > 0 && parties.length <= mostParties) return parties
  throw fail('SOURCE_UNAVAILABLE', {
    message: `The transaction has ${parties.length} parties: it cannot be screened by them`,
  })
}

/** An unknown transaction or network is the caller's error; anything else is the service's. */
function asOurs(error: unknown): never {
  throw isRefused(error, 400, 404) ? fail('TRANSACTION_NOT_FOUND', { cause: error }) : error
}

/** One entry per source: it matches if any party does, and its details are those of each party. */
function bySource(results: readonly AddressResult[]): ScreeningSource[] {
  const providers = new Set(results.flatMap(({ sources }) => sources.map(({ provider }) => provider)))
  return [...providers].map((provider) => {
    const parties = results.flatMap(({ address, sources }) =>
      sources
        .filter((source) => source.provider === provider)
        .map(({ match, details }) => ({ address, match, ...details })),
    )
    return { provider, match: parties.some(({ match }) => match), details: { parties } }
  })
}
