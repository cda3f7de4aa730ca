import { Button } from '../../ui/button'
import { Note } from '../../ui/states'

/** The result of a decision: it stays on the page after its row has left. */
export interface Outcome {
  id: string
  tone: 'good' | 'bad' | 'wait'
  /** `Not carried out.` */
  title: string
  words: string
}

export function Outcomes({ of, dismiss }: { of: readonly Outcome[]; dismiss(outcome: Outcome): void }) {
  return (
    <>
      {of.map((outcome) => (
        <Note key={`${outcome.id} ${outcome.title}`} tone={outcome.tone}>
          <div class="ends outcome">
            <span>
              <strong>{outcome.title}</strong> {outcome.words}{' '}
              <a href={`/console/transactions/${outcome.id}`}>Show the transaction</a>
            </span>
            <Button look="quiet" isSmall onClick={() => dismiss(outcome)}>
              Dismiss
            </Button>
          </div>
        </Note>
      ))}
    </>
  )
}
