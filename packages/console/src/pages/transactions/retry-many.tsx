import { core } from '../../api/services'
import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { announce, notify } from '../../ui/announce'
import { OwnerName } from '../../ui/names'
import { RunDialog } from '../../ui/run-dialog'
import { type RunState, useRunMany } from '../../ui/run-many'
import { readAgain } from '../review/decide'
import { kindWord } from './kind'
import type { StuckCause } from './stuck-cause'
import type { Stuck } from './use-transactions'

const idOf = ({ id }: Stuck) => id

/** Brings the next attempts of all transactions of one cause forward. */
export function RetryMany({ of, cause, onClose }: { of: readonly Stuck[]; cause: StuckCause; onClose(): void }) {
  const { run, state } = useRunMany<Stuck, unknown>({
    of,
    idOf,
    send: ({ id }, { note, idempotencyKey }) =>
      core.POST('/transactions/{id}/retry', {
        params: { path: { id } },
        body: { note: note || null },
        headers: { 'idempotency-key': idempotencyKey },
      }),
    onPause,
  })

  function onPause(paused: RunState<Stuck, unknown>) {
    readAgain()
    if (paused.is !== 'ended') return announce('The remaining ones wait for your second factor')
    const words = `The next attempt of ${counted(paused.results.length, 'transaction')} begins now`
    if (paused.refused.length > 0) return announce(`${words}, ${paused.refused.length} refused`)
    notify(words)
    onClose()
  }

  return (
    <RunDialog
      title={`Try ${counted(of.length, 'transaction')} now?`}
      verb="Try"
      thing="transaction"
      note={{ label: 'Note', hint: 'Kept with each transaction, for colleagues and auditors.' }}
      of={of}
      idOf={idOf}
      state={state}
      run={run}
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
