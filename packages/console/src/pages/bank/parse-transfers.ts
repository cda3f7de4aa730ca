/** One transfer as it was pasted. */
interface WantedTransfer {
  fromParticipantBankId: string
  toParticipantBankId: string
  amount: string
  currency: string
  reference?: string
}

interface ParsedTransfers {
  transfers: readonly WantedTransfer[]
  /** One sentence for each line that cannot be read. */
  problems: readonly string[]
}

/** The most transfers that the service accepts at once. */
const mostTransfers = 100

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const decimal = /^\d+(\.\d+)?$/

/**
 * Reads pasted lines of `from, to, amount, currency, reference`, separated by commas, semicolons or tabs; the last is
 * optional. Empty lines and a header line are skipped. The service checks the accounts, and whether the amount fits the
 * currency.
 */
export function parseTransfers(text: string): ParsedTransfers {
  const transfers: WantedTransfer[] = []
  const problems: string[] = []
  for (const [at, line] of text.split('\n').entries()) {
    const cells = line.split(/[,;\t]/).map((cell) => cell.trim())
    if (cells.every((cell) => cell === '') || (at === 0 && /^from/i.test(cells[0] ?? ''))) continue
    const problem = problemOf(cells)
    if (problem) problems.push(`Line ${at + 1}: ${problem}`)
    else transfers.push(toTransfer(cells))
  }
  if (transfers.length > mostTransfers) problems.push(`There are more than ${mostTransfers} transfers`)
  return { transfers, problems }
}

function problemOf([from = '', to = '', amount = '', currency = '', , ...rest]: readonly string[]): string | null {
  if (!uuid.test(from)) return 'the first value must be the id of the account that pays'
  if (!uuid.test(to)) return 'the second value must be the id of the account that receives'
  if (!decimal.test(amount)) return 'the third value must be an amount, such as 1250.50'
  if (!/^[a-z]{3}$/i.test(currency)) return 'the fourth value must be a currency, such as USD'
  return rest.some((cell) => cell !== '') ? 'there are more than five values' : null
}

const toTransfer = ([
  from = '',
  to = '',
  amount = '',
  currency = '',
  reference = '',
]: readonly string[]): WantedTransfer => ({
  fromParticipantBankId: from,
  toParticipantBankId: to,
  amount,
  currency: currency.toUpperCase(),
  ...(reference ? { reference } : {}),
})
