package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// These are the defaults for what is kept, as in schemas/safety.cue.
const (
	keepFor      = 168 * time.Hour
	keepSessions = 500
)

// recordTimeline records what happens in a service: in memory, and in the store once there is
// anything to keep, so that starting never waits for a disk. end writes what is pending.
func (a *app) recordTimeline(ctx context.Context, svc *service.Service) (recent *timeline.Recorder, end func()) {
	recent = timeline.New(timeline.Options{Stream: svc.Events(), Redactor: func() *redact.Redactor { return svc.Snapshot().Redactor },
		Questions: func() bool { return !svc.Snapshot().Plan.Config.Timeline.Unnamed }})
	ctx = context.WithoutCancel(ctx) // what is pending is written after ctx ends
	life, over := context.WithCancel(ctx)
	watch, stop := context.WithCancel(life)
	first, done := recent.Watch(watch, ""), make(chan struct{})
	go func() {
		defer close(done)
		_, some := <-first
		stop()
		wasOff := svc.Snapshot().Plan.Config.Timeline.Off
		for some && svc.Snapshot().Plan.Config.Timeline.Off && !hasTimeline(svc) { // a reload may turn it on
			select {
			case <-life.Done():
				return
			case <-time.After(time.Second):
			}
		}
		if wasOff { // what was recorded until then must not reach the disk
			recent.Forget(time.Now().Add(everySession))
		}
		if some {
			a.shelveTimeline(ctx, svc, recent)
		}
	}()
	// In the second after a reload has turned the timeline on, an answer may be missing.
	svc.Recorded = func(ctx context.Context) error {
		if svc.Snapshot().Plan.Config.Timeline.Off {
			return nil
		}
		select {
		case <-done:
		default: // the first answer: its events make the shelf open
			_ = recent.Flush(ctx)
			select {
			case <-done:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return recent.Flush(ctx)
	}
	return recent, func() {
		recent.Stop()
		over()
		<-done
		recent.Close()
	}
}

// hasTimeline reports whether earlier runs have left sessions, which expire even if no new one is added.
func hasTimeline(svc *service.Service) bool {
	at := store.TimelinePath(svc.Snapshot().StoreURL())
	return at != "" && store.Exists(at)
}

// shelveTimeline has the timeline written next to the store. If that is impossible, it stays in
// memory.
func (a *app) shelveTimeline(ctx context.Context, svc *service.Service, recent *timeline.Recorder) {
	at, err := svc.Snapshot().StoreAt()
	if at = store.TimelinePath(at); err != nil || at == "" {
		return // an unset variable in store.url is reported with the approvals
	}
	shown := store.Shown(at)
	say := func(err error) {
		if crowded := (*timeline.CrowdedError)(nil); errors.As(err, &crowded) {
			a.log.Warn(shown + ": " + crowded.Error() + "; keep fewer or for less long: timeline.sessions, timeline.keep")
			return
		}
		if lost := (*timeline.LostError)(nil); errors.As(err, &lost) {
			a.log.Warn(shown + ": " + lost.Error())
			return
		}
		a.log.Warn(unkeptMessage(at, err))
	}
	s, err := store.OpenLater(ctx, at)
	if err != nil {
		recent.Unshelved(err)
		say(err)
		return
	}
	recent.PersistTo(s.Timeline(), func() timeline.Retention {
		said := svc.Snapshot().Plan.Config.Timeline
		return timeline.Retention{For: cmp.Or(said.Keep, keepFor), Sessions: cmp.Or(said.Sessions, keepSessions), Off: said.Off}
	}, say)
}

// unkeptMessage says why sessions are kept in memory only, and what to do.
func unkeptMessage(at string, err error) string {
	do := ""
	if known := (*store.Error)(nil); errors.As(err, &known) {
		do = "; " + known.Remedy()
	}
	return "sessions are kept in memory alone: " + store.Shown(at) + ": " + causeOf(err) + do
}

// causeOf describes the error of a file, without the remedy, which is for approvals.
func causeOf(err error) string {
	var e *store.Error
	if errors.As(err, &e) {
		return e.What()
	}
	return err.Error()
}

// openTimeline opens the timeline that earlier runs have left; nil without one.
func (a *app) openTimeline(ctx context.Context, svc *service.Service) (r timeline.Reader, end func()) {
	at := store.TimelinePath(svc.Snapshot().StoreURL())
	if at == "" || !store.Exists(at) {
		return nil, func() {}
	}
	s, err := store.Open(ctx, at)
	if err != nil {
		fmt.Fprintln(a.err, "compactor: the sessions of earlier runs cannot be read: "+store.Shown(at)+": "+causeOf(err))
		return nil, func() {}
	}
	return timeline.Still(s.Timeline()), func() { _ = s.Close() }
}
