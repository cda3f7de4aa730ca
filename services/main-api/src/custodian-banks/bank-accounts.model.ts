import { exampleIds } from '@bursar/contracts/examples'
import { bankAccountChanges, getBankAccountState } from '@bursar/contracts/main-api'
import { about, nonBlank, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { currency } from '../values'

const routingWords =
  'An ABA routing number of nine digits, a BIC, or outside the United States a national clearing code'
const accountWords = 'An IBAN, or the number that the bank gave it'

/** POST /participants/:id/accounts (spec 3, PFI module). */
export const NewBankAccount = t.Object(
  {
    accountNumber: about(accountWords, nonBlank(50)),
    routingNumber: about(routingWords, nonBlank(50)),
    accountType: about('The bank’s account type, such as CHECKING', nonBlank(50)),
    currency: currency(),
    custodianBankId: uuid(),
  },
  {
    title: 'NewBankAccount',
    examples: [
      {
        accountNumber: '000123456789',
        routingNumber: '021000021',
        accountType: 'CHECKING',
        currency: 'USD',
        custodianBankId: exampleIds.custodianBank,
      },
    ],
  },
)
export type NewBankAccount = Static<typeof NewBankAccount>

/** An account of a participant at a custodian bank; numbers in their normal form, without blanks and hyphens. */
export const BankAccount = t.Object(
  {
    id: uuid(),
    participantId: uuid(),
    accountNumber: about(accountWords, t.String()),
    routingNumber: about(routingWords, t.String()),
    accountType: about('The bank’s account type, such as CHECKING', t.String()),
    currency: about('The ISO 4217 code of the currency', t.String()),
    custodianBankId: uuid(),
    custodianBankName: t.String(),
    createdAt: timestamp(),
  },
  { title: 'BankAccount' },
)
export type BankAccount = Static<typeof BankAccount>

export const BankAccounts = t.Object({ data: t.Array(BankAccount) }, { title: 'BankAccounts' })

/** The account for other services. */
export const BankAccountState = getBankAccountState.answer
export const BankAccountChangesPage = bankAccountChanges.answer
