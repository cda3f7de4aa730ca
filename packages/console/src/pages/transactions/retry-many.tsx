import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { OwnerName } from '../../ui/names'
import { RunDialog } from '../../ui/run-dialog'
import { decide, readAgain } from './decide'
import { kindWord } from './kind'
import type { StuckCause } from './stuck-cause'
import type { Stuck } from './use-transactions'

/** Brings the next attempts of all transactions of one cause forward. */
export function RetryMany({ of, cause, onClose }: { of: readonly Stuck[]; cause: StuckCause; onClose(): void }) {
  return (
    <RunDialog
      title={`Try ${counted(of.length, 'transaction')} now?`}
      verb="Try"
      thing="transaction"
      note={{ label: 'Note', hint: 'Kept with each transaction, for colleagues and auditors.' }}
      of={of}
      send={(item, input) => decide('retry', item, input)}
      readAgain={readAgain}
      done={(results) => `${counted(results.length, 'attempt')} brought forward`}
      name={({ type, amount, assetCode, accountId }) => (
        <>
          <strong>{kindWord(type)}</strong> <Amount value={amount} asset={assetCode} />{' '}
          <OwnerName accountId={accountId} />
        </>
      )}
      onClose={onClose}
    >
      <p>
        <strong>{cause.title}.</strong> {cause.advice}
      </p>
      <p>Their next attempts begin at once instead of at their times. Nothing is paid twice.</p>
    </RunDialog>
  )
}
