// JSON-RPC by hand: what the run itself, and its recount, ask of a node goes past all code of the services.
let asked = 0

/** Asks a node. Throws what it answers as an error. */
export async function rpc<T>(url: string, method: string, params: unknown[] = []): Promise<T> {
  asked += 1
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }),
    signal: AbortSignal.timeout(20_000),
  })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** The data of a call: its selector, and its words, each an address or a number. */
export const callData = (selector: string, ...words: (string | bigint)[]): string =>
  `0x${selector}${words.map((word) => BigInt(word).toString(16).padStart(64, '0')).join('')}`

/** Of ERC-20. */
export const selectors = { transfer: 'a9059cbb', approve: '095ea7b3', transferFrom: '23b872dd', balanceOf: '70a08231' }
/** keccak256('Transfer(address,address,uint256)') */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

export const hex = (value: bigint): string => `0x${value.toString(16)}`

/** Sends from an address whose key nobody needs: anvil acts for it. */
export async function sendAs(url: string, from: string, transaction: Record<string, string>): Promise<string> {
  await rpc(url, 'anvil_impersonateAccount', [from])
  const hash = await rpc<string>(url, 'eth_sendTransaction', [{ from, gas: hex(200_000n), ...transaction }])
  await rpc(url, 'anvil_mine', ['0x1'])
  await rpc(url, 'anvil_stopImpersonatingAccount', [from])
  return hash
}
