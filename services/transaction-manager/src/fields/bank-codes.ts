import { isValidBIC, isValidIBAN } from 'ibantools'
import isAbaRouting from 'validator/lib/isAbaRouting'
import { badField } from '../errors'

/** A bank account as the caller gives it. */
export interface BankDetails {
  accountNumber: string
  routingNumber: string
  bankName: string
}

/** Two letters and two check digits, then 11 to 30 more: only an IBAN has this form. */
const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
/** Six letters, two letters or digits, and optionally three more: only a SWIFT code (BIC) has this form. */
const swiftForm = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/
const nineDigits = /^\d{9}$/

/**
 * Checks the verifiable parts of a bank account: an account number in the form of an IBAN, a routing number in the form
 * of a SWIFT code, and the nine digits of a US routing number for US dollars. All other forms are
 * national. Returns the details with IBAN and SWIFT code in electronic form; 400 for an invalid one.
 */
export function checkBankDetails(details: BankDetails, currency: string): BankDetails {
  const { bankName } = details
  const accountNumber = electronic(details.accountNumber, ibanForm)
  const routingNumber = electronic(details.routingNumber, swiftForm)
  if (ibanForm.test(accountNumber) && !isValidIBAN(accountNumber)) {
    throw badField(
      'destinationAccount.accountNumber',
      'is not a valid IBAN: its country, length or check digits are wrong',
    )
  }
  if (swiftForm.test(routingNumber) && !isValidBIC(routingNumber)) {
    throw badField('destinationAccount.routingNumber', 'is not a valid SWIFT code (BIC)')
  }
  if (currency === 'USD' && nineDigits.test(routingNumber) && !isAbaRouting(routingNumber)) {
    throw badField('destinationAccount.routingNumber', 'is not a valid US routing number: its check digit is wrong')
  }
  return { accountNumber, routingNumber, bankName }
}

/** Without spaces and in upper case, if that has the form; else unchanged. */
function electronic(text: string, form: RegExp): string {
  const compact = text.replaceAll(' ', '').toUpperCase()
  return form.test(compact) ? compact : text
}
