import { Icon, type IconName } from '../../ui/icon'

export type TransactionType = 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER'

const kinds: Record<TransactionType, { word: string; icon: IconName }> = {
  DEPOSIT: { word: 'Deposit', icon: 'in' },
  WITHDRAWAL: { word: 'Withdrawal', icon: 'out' },
  TRANSFER: { word: 'Transfer', icon: 'swap' },
}

export const kindWord = (type: TransactionType): string => kinds[type].word

/** The kind as an icon, with its word unless that is shown elsewhere. */
export function Kind({ type, isBare }: { type: TransactionType; isBare?: boolean }) {
  const { word, icon } = kinds[type]
  return (
    <span class={`kind kind-${type.toLowerCase()}`}>
      <span class="kind-sign">
        <Icon name={icon} size={14} />
      </span>
      {isBare ? <span class="visually-hidden">{word}</span> : word}
    </span>
  )
}
