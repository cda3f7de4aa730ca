import { toWords } from '../../format/words'
import { Id } from '../../ui/id'
import { Badge } from '../../ui/status'
import { type Finding, findingsOf } from './evidence'
import type { Source } from './sanctions-queries'

/** The evidence of every source. */
export function SourceFindings({ sources }: { sources: readonly Source[] }) {
  return (
    <ul class="rows">
      {sources.map((source) => (
        <li key={source.provider} class={`source rows tone-${source.match ? 'bad' : 'good'}`}>
          <div class="ends">
            <strong>{providerName(source.provider)}</strong>
            <Badge tone={source.match ? 'bad' : 'good'} icon={source.match ? 'bang' : 'check'}>
              {source.match ? 'Match' : 'No match'}
            </Badge>
          </div>
          {findingsOf(source).map((finding, i) => (
            <FindingDetails key={finding.party ?? i} finding={finding} />
          ))}
        </li>
      ))}
    </ul>
  )
}

const names: Record<string, string> = {
  'ofac-sdn': 'OFAC SDN list',
  chainalysis: 'Chainalysis',
  'chainalysis-oracle': 'Chainalysis oracle',
  sandbox: 'Sandbox rule',
}
const providerName = (provider: string): string => names[provider] ?? toWords(provider)

function FindingDetails({ finding: { party, isMatch, list, matches } }: { finding: Finding }) {
  return (
    <div class="rows finding">
      {party ? (
        <p class="row">
          <Id value={party} isWhole /> {isMatch ? <Badge tone="bad">match</Badge> : null}
        </p>
      ) : null}
      {matches.map(({ name, detail, url }) => (
        <p key={name + detail} class="row">
          <strong>{url ? <a href={url}>{name}</a> : name}</strong>
          <span class="hint">{detail === '' ? 'the same address' : `the same address · ${detail}`}</span>
        </p>
      ))}
      {list ? (
        <p class="hint">
          {list.name}, version {list.version}
          {list.ageDays === null ? '' : `, ${list.ageDays} days old at that time`}
        </p>
      ) : null}
    </div>
  )
}
