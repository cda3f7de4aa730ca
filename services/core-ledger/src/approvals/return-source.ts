import { comparableAddress } from '@bursar/contracts/address'
import { lookUpAddress } from '@bursar/contracts/wallet'
import { AppError, type Client, ifCallFails } from '@bursar/http'
import { fail } from '../errors'
import type { TransactionRecord } from '../movements/read-transactions'
import { checkAddress } from '../networks/check-address'
import { normalNetwork } from '../networks/networks'

type Deposit = Pick<TransactionRecord, 'network' | 'sourceAddress' | 'contractAddress'>

/**
 * The address that a deposit came from, and can be returned to. 422 if there is none, or several, or it cannot be paid.
 */
export function sourceOf({ network, sourceAddress, contractAddress }: Deposit): string {
  const source = sourceAddress?.trim() ?? ''
  if (/[\s,;]/.test(source)) throw refused(`The deposit came from several addresses: ${source}`)
  if (source === '' || isNobody(source, contractAddress)) throw refused('Where the deposit came from is not known')
  try {
    checkAddress(network, source, 'sourceAddress')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw refused(`The deposit’s source cannot be paid: ${error.message}`)
  }
  return source
}

/** Sources that are not payers: the contract of a minted token, or an address without an owner. */
const isNobody = (source: string, contractAddress: string | null): boolean =>
  /^0x0{40}$/i.test(source) ||
  source === '1'.repeat(32) ||
  (contractAddress !== null && comparableAddress(contractAddress) === comparableAddress(source))

/** Fails with 422 when it is an address of this deployment, and with 503 when the wallet service is unreachable. */
export async function requireOutside(client: Client, network: string, source: string): Promise<void> {
  const params = { network: normalNetwork(network), address: source }
  const { isOwn } = await ifCallFails(client.call(lookUpAddress, { params }), (cause) => {
    throw fail('WALLET_UNAVAILABLE', { cause })
  })
  if (isOwn)
    throw refused(`The deposit came from ${source}, which is an address of this deployment: nothing would leave`)
}

const refused = (message: string) => fail('RETURN_REFUSED', { message })
