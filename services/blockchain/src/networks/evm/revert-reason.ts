import { BaseError, ExecutionRevertedError } from 'viem'

/** The reason of a revert, with the contract's message if any; null for any other failure. */
export function revertReason(error: unknown): string | null {
  if (!(error instanceof BaseError)) return null
  const reverted = error.walk((cause) => cause instanceof ExecutionRevertedError)
  const answered = error.walk((cause) => cause instanceof Error && 'code' in cause && cause.code === 3)
  if (!reverted && !answered) return null
  const words = detailsOf(answered) ?? detailsOf(reverted) ?? detailsOf(error) ?? ''
  const own = /execution reverted(?: with reason(?: string)?)?:?\s*(.*)$/is.exec(words)?.[1]?.trim()
  return own ? `execution reverted: ${own.slice(0, 500)}` : 'execution reverted'
}

const detailsOf = (error: Error | null): string | null =>
  error === null ? null : 'details' in error && typeof error.details === 'string' ? error.details : error.message
