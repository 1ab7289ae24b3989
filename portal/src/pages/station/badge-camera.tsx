import { useEffect, useRef, useState } from 'react';
import { text } from '../../messages/index.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { badgeIn } from './badge-keys.ts';

/** What this page uses of the Shape Detection API, which the types of browsers lack. */
interface Detector {
  detect(video: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
interface Detectors {
  new (options: { formats: 'qr_code'[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

const QR = 'qr_code';
/** Pause between two looks at the picture. */
const PAUSE_MS = 100;

/** Returns the detector of the browser, or a library's where it has none for QR codes. */
async function loadDetectors(): Promise<Detectors> {
  const own = (globalThis as { readonly BarcodeDetector?: Detectors }).BarcodeDetector;
  const formats = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  if (own && formats.includes(QR)) return own;
  const { BarcodeDetector } = await import('qr/decode.js');
  return BarcodeDetector;
}

/** Returns whether this browser can use a camera, which it lets only secure pages do. */
export const hasCamera = (): boolean => 'mediaDevices' in navigator;

interface Props {
  readonly onBadge: (badge: string) => void;
  readonly onCancel: () => void;
}

/** Shows the picture of the camera until it has a badge in it. */
export function BadgeCamera({ onBadge, onCancel }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    scan(video.current, stop.signal).then(
      (badge) => badge !== null && onBadge(badge),
      () => setRefused(true),
    );
    return () => stop.abort();
  }, [onBadge]);
  return (
    <>
      {isRefused ? (
        <Notice kind="bad" title={text('station.camera.refused')}>
          <p>{text('station.camera.refused.text')}</p>
        </Notice>
      ) : (
        <>
          <p role="status">{text('station.camera.text')}</p>
          <video className="camera" ref={video} muted playsInline aria-label={text('station.camera')} />
        </>
      )}
      <Button wide onPress={onCancel}>
        {text('station.by-number')}
      </Button>
    </>
  );
}

/** @returns the first badge in the picture; null if it was stopped */
async function scan(video: HTMLVideoElement | null, signal: AbortSignal): Promise<string | null> {
  if (!video) return null;
  const Detector = await loadDetectors();
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    video.srcObject = stream;
    await video.play();
    const detector = new Detector({ formats: [QR] });
    while (!signal.aborted) {
      for (const { rawValue } of await detector.detect(video)) {
        const badge = badgeIn(rawValue);
        if (badge !== null) return badge;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return null;
  } finally {
    stream.getTracks().forEach((track) => track.stop());
  }
}
