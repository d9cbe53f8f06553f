package main

import (
	"context"
	"regexp"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// image is what containers of some images have: this machine's files with a few changes.
type image struct {
	// Name is a regular expression for references.
	Name string `json:"name"`
	// Folders of this machine are read-only at their own paths.
	Folders []string `json:"folders"`
	// Env is the environment of the image.
	Env map[string]string `json:"env"`
	// Command is used where the pod has none, and Args where the pod has neither.
	Command    []string `json:"command"`
	Args       []string `json:"args"`
	User       int64    `json:"user"`
	WorkingDir string   `json:"workingDir"`
}

type imageService struct {
	cri.UnimplementedImageServiceServer
	images    []image
	directory string
}

func (s *imageService) find(reference string) (image, error) {
	for _, candidate := range s.images {
		if match, err := regexp.MatchString(candidate.Name, reference); err != nil || match {
			return candidate, err
		}
	}
	return image{}, status.Errorf(codes.NotFound, "no process is known for the image %s; toolchain/yard/processNode/images.ts lists those that this node runs", reference)
}

func (s *imageService) ImageStatus(_ context.Context, request *cri.ImageStatusRequest) (*cri.ImageStatusResponse, error) {
	reference := request.Image.Image
	found, err := s.find(reference)
	if status.Code(err) == codes.NotFound {
		return &cri.ImageStatusResponse{}, nil
	}
	described := &cri.Image{Id: reference, RepoTags: []string{reference}, Size: 1, Uid: &cri.Int64Value{Value: found.User}}
	return &cri.ImageStatusResponse{Image: described}, err
}

func (s *imageService) PullImage(_ context.Context, request *cri.PullImageRequest) (*cri.PullImageResponse, error) {
	_, err := s.find(request.Image.Image)
	return &cri.PullImageResponse{ImageRef: request.Image.Image}, err
}

func (s *imageService) ListImages(context.Context, *cri.ListImagesRequest) (*cri.ListImagesResponse, error) {
	return &cri.ListImagesResponse{}, nil
}

func (s *imageService) RemoveImage(context.Context, *cri.RemoveImageRequest) (*cri.RemoveImageResponse, error) {
	return &cri.RemoveImageResponse{}, nil
}

func (s *imageService) ImageFsInfo(context.Context, *cri.ImageFsInfoRequest) (*cri.ImageFsInfoResponse, error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(s.directory, &disk); err != nil {
		return nil, err
	}
	usage := &cri.FilesystemUsage{
		FsId:      &cri.FilesystemIdentifier{Mountpoint: s.directory},
		UsedBytes: &cri.UInt64Value{Value: (disk.Blocks - disk.Bfree) * uint64(disk.Bsize)},
	}
	return &cri.ImageFsInfoResponse{ImageFilesystems: []*cri.FilesystemUsage{usage}, ContainerFilesystems: []*cri.FilesystemUsage{usage}}, nil
}
