import type { NewSend } from '@bursar/contracts/blockchain'
import type { Networks } from '../networks/networks'

/**
 * Checks an order without calling a node: returns it with its network and addresses in canonical form, and why it
 * can never be sent, or null. Fails when the network cannot be used right now, which is independent of the order.
 */
export async function sendProblem(
  networks: Networks,
  input: NewSend,
): Promise<{ order: NewSend; problem: string | null }> {
  const refused = (problem: string) => ({ order: input, problem })
  const settings = networks.find(input.network)
  if (!settings) return refused(`There is no network ${input.network} here`)
  const chain = await networks.open(settings.name)
  const order: NewSend = { ...input, network: settings.name }
  const fields = ['from', 'to', 'contractAddress', 'feePayer'] as const
  for (const field of fields) {
    const text = input[field]
    if (text === null) continue
    const address = chain.address(text)
    if (address === null) return refused(`${field} is not an address of ${settings.name}: ${text}`)
    order[field] = address
  }
  if (BigInt(input.amount) === 0n && input.transactionData === null) return refused('amount must be above 0')
  return { order, problem: null }
}
