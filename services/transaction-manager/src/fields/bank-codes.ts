import { isValidBIC, isValidIBAN } from 'ibantools'
import isAbaRouting from 'validator/lib/isAbaRouting'
import { badField } from '../errors'

/** An account at a bank, as a caller names it. */
export interface BankDetails {
  accountNumber: string
  routingNumber: string
  bankName: string
}

/** Two letters and two check digits, then 11 to 30 more: nothing but an IBAN looks so. */
const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
/** Six letters, two letters or digits, and three more or none: nothing but a SWIFT code (BIC) looks so. */
const swiftForm = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/
const nineDigits = /^\d{9}$/

/**
 * Checks what can be checked of a bank account: an account number in the form of an IBAN, a routing number in the form
 * of a SWIFT code, and the nine digits of a US routing number where the money is US dollars. All other forms are a
 * country's own. Gives the details with IBAN and SWIFT code in their electronic form; 400 for what is wrong.
 */
export function checkBankDetails(details: BankDetails, currency: string): BankDetails {
  const { bankName } = details
  const accountNumber = electronic(details.accountNumber, ibanForm)
  const routingNumber = electronic(details.routingNumber, swiftForm)
  if (ibanForm.test(accountNumber) && !isValidIBAN(accountNumber)) {
    throw badField(
      'destinationAccount.accountNumber',
      'is no valid IBAN: its country, length or check digits are wrong',
    )
  }
  if (swiftForm.test(routingNumber) && !isValidBIC(routingNumber)) {
    throw badField('destinationAccount.routingNumber', 'is no valid SWIFT code (BIC)')
  }
  if (currency === 'USD' && nineDigits.test(routingNumber) && !isAbaRouting(routingNumber)) {
    throw badField('destinationAccount.routingNumber', 'is no valid US routing number: its check digit is wrong')
  }
  return { accountNumber, routingNumber, bankName }
}

/** Without spaces and in upper case, where it has the form then; else as it came. */
function electronic(text: string, form: RegExp): string {
  const compact = text.replaceAll(' ', '').toUpperCase()
  return form.test(compact) ? compact : text
}
