import { Id } from '../../ui/id'
import { useBankAccounts } from '../participants/institution-query'

/** The number of a bank account; its id where the institution's accounts are not to be seen. `of`: the institution. */
export function AccountNumber({ id, of }: { id: string; of: string | null }) {
  const { data } = useBankAccounts(of)
  const number = data?.find((account) => account.id === id)?.accountNumber
  return <Id key={number ?? id} value={number ?? id} isWhole={number !== undefined} />
}
