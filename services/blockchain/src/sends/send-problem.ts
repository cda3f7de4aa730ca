import type { NewSend } from '@bursar/contracts/blockchain'
import type { Networks } from '../networks/networks'

/**
 * Looks at an order without asking any node: the order with its network and addresses in their usual forms, and why it
 * can never be sent, or null. Fails when the network cannot be used right now, which says nothing of the order.
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
