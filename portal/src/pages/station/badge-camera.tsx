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
  new (options: { readonly formats: readonly string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

const QR = 'qr_code';
/** Pause between two looks at the picture. */
const PAUSE_MS = 100;

const detectors = (): Detectors | undefined =>
  (globalThis as { readonly BarcodeDetector?: Detectors }).BarcodeDetector;

/** Returns whether this browser reads QR codes; false until it is known. */
export function useCanScan(): boolean {
  const [can, setCan] = useState(false);
  useEffect(() => {
    detectors()
      ?.getSupportedFormats()
      .then(
        (formats) => setCan(formats.includes(QR)),
        () => setCan(false),
      );
  }, []);
  return can;
}

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
  const Detector = detectors();
  if (!video || !Detector) return null;
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
