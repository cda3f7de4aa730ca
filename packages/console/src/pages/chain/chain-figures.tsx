import { formatCount, formatTotal, type Total } from '../../format/amount'
import { Figure } from '../../ui/card'
import { Ago, Oldest } from '../../ui/time'
import { useFees, useNetworks, useOldestSend, useReport } from './chain-queries'
import { problemOf } from './network-problem'

/** Problems on the chains, at a glance. */
export function ChainFigures() {
  const networks = useNetworks().data
  const oldest = useOldestSend().data
  const report = useReport().data
  const fees = useFees().data
  const bad = networks?.filter((network) => problemOf(network) !== null).length
  const low = fees?.filter(({ isLow }) => isLow).length
  const short = report?.holdings.filter(({ isShort }) => isShort).length
  const differing = report ? report.differing + report.missing + report.portfolios.length : 0
  return (
    <div class="figures">
      <Figure
        label="Networks with a problem"
        href="/console/chain"
        tone={bad ? 'bad' : undefined}
        value={countOr(bad)}
        note={networks ? `of ${networks.length}` : null}
      />
      <Figure
        label="Sends under way"
        href="/console/chain?view=sends"
        value={countOr(oldest?.total)}
        note={oldest?.oldestAt ? <Oldest at={oldest.oldestAt} /> : null}
      />
      <Figure
        label="Differences to the chain"
        href="/console/chain?view=books"
        tone={short || differing ? 'bad' : undefined}
        value={report?.at ? formatCount((short ?? 0) + differing) : '–'}
        note={report?.at ? <Ago what="compared" at={report.at} /> : report ? 'not compared yet' : null}
      />
      <Figure
        label="Fee addresses with a low balance"
        href="/console/chain"
        tone={low ? 'wait' : undefined}
        value={countOr(low)}
        note={fees ? `of ${fees.length}` : null}
      />
    </div>
  )
}

const countOr = (count: Total | undefined): string => (count === undefined ? '–' : formatTotal(count))
