import { useCan } from '../../api/session'
import { AllAccounts } from './all-accounts'
import { OwnAccounts } from './own-accounts'

/** Who holds what: for staff all accounts, for people of an institution its own. */
export default function Accounts() {
  return useCan('read') ? <AllAccounts /> : <OwnAccounts />
}
