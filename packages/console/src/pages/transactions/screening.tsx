import { Meter } from '../../ui/meter'
import { Badge } from '../../ui/status'
import { evidenceOf, isBare, toneOfScore } from './screening-evidence'

type Data = Readonly<Record<string, unknown>> | null

/** A screening's score, reason and sources, as far as there are any. */
export function Screening({ data }: { data: Data }) {
  const evidence = evidenceOf(data)
  const { score, reason, sources, tags } = evidence
  if (isBare(evidence)) return <p class="hint">The screening recorded no evidence.</p>
  return (
    <div class="rows">
      {score === null ? null : <Score score={score} />}
      {reason ? <p>{reason}</p> : null}
      {tags.length > 0 ? (
        <p class="row badges">
          {tags.map((tag) => (
            <Badge key={tag} tone="wait" icon="alert">
              {tag}
            </Badge>
          ))}
        </p>
      ) : null}
      {sources.length > 0 ? (
        <ul class="rows">
          {sources.map(({ provider, isMatch }) => (
            <li key={provider} class="ends">
              {provider}
              <Badge tone={isMatch ? 'bad' : 'good'} icon={isMatch ? 'bang' : 'check'}>
                {isMatch ? 'Match' : 'No match'}
              </Badge>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function Score({ score }: { score: number }) {
  return (
    <div class={`score tone-${toneOfScore(score)}`}>
      <Meter value={score} words={`Risk ${score} of 100`} tone={toneOfScore(score)} />
      <span>
        <b>{score}</b> of 100
      </span>
    </div>
  )
}

/** In a list: the score, or whether a source matched. */
export function Risk({ data }: { data: Data }) {
  const { score, sources } = evidenceOf(data)
  if (score !== null) return <span class={`risk tone-${toneOfScore(score)}`}>{score}</span>
  if (sources.some(({ isMatch }) => isMatch)) return <span class="risk tone-bad">Match</span>
  return null
}
