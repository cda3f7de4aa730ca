import { decodeFunctionResult, encodeFunctionData, getAddress, type Hex, type Log, parseAbi, slice } from 'viem'

const abi = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address holder) view returns (uint256)',
  'function decimals() view returns (uint8)',
])

/** keccak256 of `Transfer(address,address,uint256)`. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

export const transferData = (to: string, amount: bigint): Hex =>
  encodeFunctionData({ abi, functionName: 'transfer', args: [getAddress(to), amount] })

export const balanceData = (holder: string): Hex =>
  encodeFunctionData({ abi, functionName: 'balanceOf', args: [getAddress(holder)] })

export const decimalsData: Hex = encodeFunctionData({ abi, functionName: 'decimals' })

/** Decodes the answer of decimals; null if it is not a number of decimals. */
export function readDecimals(data: Hex | undefined): number | null {
  const said = data?.length === 66 ? BigInt(data) : null
  return said !== null && said <= 38n ? Number(said) : null
}

/** Decodes the answer of balanceOf; 0 if the contract is not a token. */
export const readBalance = (data: Hex | undefined): bigint =>
  data === undefined || data.length < 66
    ? 0n
    : decodeFunctionResult({ abi, functionName: 'balanceOf', data: slice(data, 0, 32) })

/** Whether the answer of transfer is `false`; older tokens give none. */
export const saysFalse = (data: Hex | undefined): boolean =>
  data !== undefined && data.length >= 66 && BigInt(slice(data, 0, 32)) === 0n

/** A movement of a token; null for another event. Non-fungible tokens (ERC-721) have a fourth topic. */
export function readTransferLog({ topics, data, address }: Pick<Log, 'topics' | 'data' | 'address'>) {
  const [topic, from, to] = topics
  if (topic !== transferTopic || !from || !to || topics.length !== 3 || data.length !== 66) return null
  return {
    contractAddress: getAddress(address),
    from: getAddress(slice(from, 12)),
    to: getAddress(slice(to, 12)),
    amount: BigInt(data),
  }
}
